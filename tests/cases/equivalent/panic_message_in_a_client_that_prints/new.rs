pub fn half(a: u32) -> u32 {
    if a % 2 == 1 {
        panic!("{a} is odd");
    }
    a / 2
}
