pub fn run(which: usize, x: u32) -> u32 {
    dep::STEPS[which % 2](x)
}
