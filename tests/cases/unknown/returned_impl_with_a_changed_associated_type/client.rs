pub fn run(x: u32) -> impl IntoIterator<Item = u32> {
    dep::Numbers(x)
}
