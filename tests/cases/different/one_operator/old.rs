pub fn combine(x: u32, y: u32) -> u32 {
    x & y
}
