pub fn run(values: &[u32]) -> u32 {
    dep::run(values)
}
