pub static TABLE: &[u32] = &[1, 2, 3];

#[inline(never)]
pub fn one() -> u32 {
    1
}

#[inline(never)]
pub fn two() -> u32 {
    2
}
