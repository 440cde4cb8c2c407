pub fn step(x: u32) -> u32 {
    x + 1
}
