pub fn step(t: i32) -> i32 {
    t.wrapping_add(2)
}
