pub fn run(a: u32, b: u32, x: u32) -> u32 {
    dep::pick(a, b, x)
}
