pub fn byte(a: [u16; 2]) -> u8 {
    let bytes: &[u8; 4] = unsafe { core::mem::transmute(&a) };
    bytes[1]
}
