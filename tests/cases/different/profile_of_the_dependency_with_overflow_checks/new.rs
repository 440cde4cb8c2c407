pub fn add(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}

pub fn sum(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}

pub fn below(a: u8) -> u8 {
    a
}

/// The client generates it, and checks nothing.
#[inline]
pub fn abs(a: i8) -> i8 {
    a.wrapping_abs()
}
