pub fn hang(_x: u32) -> u32 {
    loop {}
}
