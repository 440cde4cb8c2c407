pub fn square(x: u32) -> u32 {
    x.wrapping_mul(x)
}

pub fn area(x: u32) -> u32 {
    x.saturating_mul(x)
}
