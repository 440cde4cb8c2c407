pub fn checked(x: u32, y: &str) -> u32 {
    assert!(x != 7, "seven is not allowed for {y}");
    if x > 100 {
        panic!("{x} is too large ({})", y.len());
    }
    if y.is_empty() {
        panic!("nothing there");
    }
    x
}
