pub fn run(x: u32) -> Vec<u32> {
    dep::Countdown(x).collect()
}
