pub fn next(x: u32) -> u32 {
    x | 1
}
