pub fn run(x: u32, y: u32) -> u32 {
    dep::combine(x, y)
}
