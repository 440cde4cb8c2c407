pub fn bits(x: u32) -> u32 {
    x.trailing_zeros()
}
