pub fn widen(value: u8) -> u32 {
    u32::from(value)
}
