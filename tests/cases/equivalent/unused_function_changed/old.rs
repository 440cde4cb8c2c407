pub fn used(x: u32) -> u32 {
    x + 1
}

pub fn unused(x: u32) -> u32 {
    x + 1
}
