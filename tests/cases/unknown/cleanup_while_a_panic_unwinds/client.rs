pub fn run(x: u32) -> u32 {
    dep::guarded(x, |value| 10 / value)
}
