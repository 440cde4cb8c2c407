pub fn run(x: u32) -> bool {
    dep::is_small(x)
}
