pub fn byte(a: [u16; 2]) -> u8 {
    let swapped = [a[1], 0];
    let bytes: &[u8; 4] = unsafe { core::mem::transmute(&swapped) };
    bytes[0]
}
