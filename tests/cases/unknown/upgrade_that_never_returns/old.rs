pub fn hang(x: u32) -> u32 {
    x
}
