pub fn run(x: u32) -> impl Iterator<Item = u32> {
    dep::Countdown(x)
}
