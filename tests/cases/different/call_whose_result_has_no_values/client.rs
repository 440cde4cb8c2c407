pub fn run(c: bool, x: u32) -> u32 {
    dep::pick(c, x)
}
