pub fn run(x: u8) -> u8 {
    dep::class(x)
}
