pub fn steps(start: u8) -> u32 {
    dep::steps(start.into())
}
