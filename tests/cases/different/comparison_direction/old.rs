pub fn is_small(x: u32) -> bool {
    x < 10
}
