pub fn sum(x: u32) -> u32 {
    dep::first(x) + dep::second(x)
}
