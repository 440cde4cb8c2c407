pub fn run(_: u32) -> u32 {
    panic!()
}
