pub fn pick(_a: u32, _b: u32, c: u32) -> u32 {
    c
}
