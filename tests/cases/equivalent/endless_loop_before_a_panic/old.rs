pub fn count(mut number: u32) -> u32 {
    while number != 0 {
        number = number.wrapping_add(2);
    }
    panic!()
}
