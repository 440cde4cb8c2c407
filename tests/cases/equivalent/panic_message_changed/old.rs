pub fn checked(x: u32, y: &str) -> u32 {
    assert!(x != 7);
    if x > 100 {
        panic!("too large: {x}");
    }
    if y.is_empty() {
        panic!("empty");
    }
    x
}
