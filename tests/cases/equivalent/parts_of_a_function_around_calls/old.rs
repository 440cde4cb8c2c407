pub fn square(x: u32) -> u32 {
    x.wrapping_mul(x)
}
