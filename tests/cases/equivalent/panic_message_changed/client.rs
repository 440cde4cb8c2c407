pub fn run(x: u32, y: &str) -> u32 {
    dep::checked(x, y)
}
