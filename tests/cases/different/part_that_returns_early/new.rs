pub fn clamp(x: u32) -> u32 {
    x.min(99)
}
