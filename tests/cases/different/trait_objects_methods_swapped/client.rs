pub fn run(x: u32) -> u32 {
    dep::dynamic(&dep::Twice, x)
}
