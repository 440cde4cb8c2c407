pub fn run(x: u32) -> u32 {
    x + dep::OFFSET
}
