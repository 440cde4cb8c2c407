pub fn run(x: u64, y: u64) -> u64 {
    dep::pick(x, y)
}
