pub fn add(a: u8, b: u8) -> u8 {
    a + b
}

pub fn sum(a: u8, b: u8) -> u8 {
    [a, b].iter().sum()
}

pub fn below(a: u8) -> u8 {
    debug_assert!(a < 10);
    a
}

/// The client generates it, and checks nothing.
#[inline]
pub fn abs(a: i8) -> i8 {
    a.abs()
}
