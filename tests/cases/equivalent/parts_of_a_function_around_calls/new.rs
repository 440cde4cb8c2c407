pub fn square(x: u32) -> u32 {
    x.saturating_mul(x)
}
