pub fn run(x: &mut [u8; 4]) {
    dep::set(x)
}
