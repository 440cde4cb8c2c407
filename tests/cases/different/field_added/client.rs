pub fn run(x: u32) -> usize {
    let settings = dep::settings(x);
    size_of_val(&settings)
}
