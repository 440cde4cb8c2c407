pub fn run(x: u32) -> impl DoubleEndedIterator<Item = u32> {
    dep::Numbers(0, x)
}
