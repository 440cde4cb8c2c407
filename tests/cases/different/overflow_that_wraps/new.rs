pub fn next(x: u32) -> u32 {
    x.wrapping_add(1)
}
