pub fn run(a: [u16; 2]) -> u8 {
    dep::byte(a)
}
