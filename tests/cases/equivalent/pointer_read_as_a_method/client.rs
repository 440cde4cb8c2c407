pub fn run(x: &[u32; 4]) -> u32 {
    dep::first(x)
}
