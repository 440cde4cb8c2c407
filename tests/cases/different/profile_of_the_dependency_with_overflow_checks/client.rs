pub fn add(a: u8, b: u8) -> u8 {
    dep::add(a, b)
}

pub fn sum(a: u8, b: u8) -> u8 {
    dep::sum(a, b)
}

pub fn below(a: u8) -> u8 {
    dep::below(a)
}

pub fn abs(a: i8) -> i8 {
    dep::abs(a)
}
