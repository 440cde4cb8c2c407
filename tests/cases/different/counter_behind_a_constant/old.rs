static mut COUNT: u32 = 0;
const HANDLE: (*mut u32, u8) = (&raw mut COUNT, 0);

#[inline(never)]
fn bump(n: u8) -> u32 {
    let mut i = 0;
    while i < n {
        unsafe { *HANDLE.0 = (*HANDLE.0).wrapping_add(1) };
        i += 1;
    }
    unsafe { *HANDLE.0 }
}

pub fn twice(n: u8) -> u32 {
    let a = bump(n);
    let b = bump(n);
    b.wrapping_sub(a)
}
