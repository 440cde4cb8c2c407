/// Std checks here as the crate does that this is inlined into.
#[inline]
pub fn abs(a: i8) -> i8 {
    a.wrapping_abs()
}

/// There is no check to inline.
#[inline]
pub fn add(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}
