pub fn next(value: u32) -> u32 {
    value.wrapping_add(1)
}

pub fn before(value: u32) -> u32 {
    value.wrapping_sub(1)
}
