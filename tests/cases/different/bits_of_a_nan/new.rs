pub fn bits(x: u32) -> u32 {
    let f = f32::from_bits(x);
    if f.is_nan() { 0x7fc00000 } else { f.to_bits() }
}
