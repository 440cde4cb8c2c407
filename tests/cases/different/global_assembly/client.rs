pub fn run(x: u64) -> u64 {
    dep::next(x)
}
