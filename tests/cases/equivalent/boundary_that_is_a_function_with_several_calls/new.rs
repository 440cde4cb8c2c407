pub fn centred(value: i16) -> i32 {
    i32::from(value) - 20
}

pub fn bits(value: u16) -> u16 {
    value & 0xf
}

pub fn half(value: u32) -> u32 {
    value >> 1
}
