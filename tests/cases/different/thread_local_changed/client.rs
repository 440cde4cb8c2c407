pub fn run(x: u32) -> u32 {
    dep::count(x)
}
