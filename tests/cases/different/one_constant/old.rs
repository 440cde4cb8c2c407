pub fn next(x: u32) -> u32 {
    x.rotate_left(7)
}
