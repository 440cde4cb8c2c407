pub fn run(one: u32, two: u32) -> u32 {
    dep::run(one, two)
}
