pub fn set(x: &mut [u8; 4]) {
    let start = x as *mut [u8; 4] as *const u8;
    // SAFETY: the pointer comes from a mutable one.
    unsafe { *(start as *mut u8) = 1 }
}
