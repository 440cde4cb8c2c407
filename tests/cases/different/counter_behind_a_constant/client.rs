pub fn run(n: u8) -> u32 {
    dep::twice(n)
}
