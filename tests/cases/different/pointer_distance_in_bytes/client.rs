pub fn run(a: [u32; 8]) -> isize {
    dep::far(a)
}
