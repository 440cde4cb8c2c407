pub fn panics() {
    panic!("abcd")
}

pub fn overflows(a: u8) -> u8 {
    if a > 3 { a % (a & 0) } else { 0 }
}
