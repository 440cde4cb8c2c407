pub fn run(n: u32) -> u32 {
    dep::steps(n)
}
