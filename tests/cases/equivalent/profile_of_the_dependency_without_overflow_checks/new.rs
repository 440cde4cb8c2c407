pub fn add(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}

pub fn abs(a: i8) -> i8 {
    a.wrapping_abs()
}

pub fn sum(a: u8, b: u8) -> u8 {
    [b, a].iter().sum()
}
