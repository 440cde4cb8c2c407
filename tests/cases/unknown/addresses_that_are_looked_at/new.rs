pub static TABLE: &[u32] = &[1, 2, 3, 4];

#[inline(never)]
pub fn two() -> u32 {
    println!("two");
    2
}

#[inline(never)]
pub fn one() -> u32 {
    println!("one");
    1
}
