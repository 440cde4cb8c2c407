pub fn run(a: [u32; 3], i: usize) -> bool {
    dep::same(a, i)
}
