pub fn next(x: u32) -> u32 {
    debug_assert!(x > 1);
    x / 2
}
