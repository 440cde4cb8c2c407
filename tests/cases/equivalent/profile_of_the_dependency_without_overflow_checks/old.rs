pub fn add(a: u8, b: u8) -> u8 {
    a + b
}

pub fn abs(a: i8) -> i8 {
    a.abs()
}

pub fn sum(a: u8, b: u8) -> u8 {
    [a, b].iter().sum()
}
