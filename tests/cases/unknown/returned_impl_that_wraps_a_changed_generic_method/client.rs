pub fn run(x: u32) -> impl ExactSizeIterator<Item = u32> {
    dep::Countdown(x).map(|number| number * 2)
}
