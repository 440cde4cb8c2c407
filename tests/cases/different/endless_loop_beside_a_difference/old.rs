pub fn pick(c: bool, x: u32) -> u32 {
    if c {
        loop {}
    }
    x
}
