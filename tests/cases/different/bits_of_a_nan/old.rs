pub fn bits(x: u32) -> u32 {
    f32::from_bits(x).to_bits()
}
