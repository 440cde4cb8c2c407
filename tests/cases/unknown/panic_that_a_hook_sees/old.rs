pub fn panics() {
    panic!("abc")
}

pub fn minus(a: u32) -> u32 {
    7 / a
}
