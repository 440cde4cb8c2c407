pub fn run(x: u8) -> u16 {
    dep::lookup(x)
}
