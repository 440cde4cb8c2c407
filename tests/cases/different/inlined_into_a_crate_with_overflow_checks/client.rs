pub fn abs(a: i8) -> i8 {
    dep::abs(a)
}

pub fn add(a: u8, b: u8) -> u8 {
    dep::add(a, b)
}
