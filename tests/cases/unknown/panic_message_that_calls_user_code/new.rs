pub fn checked(x: u32) -> u32 {
    if x > 100 {
        panic!("too large");
    }
    x
}
