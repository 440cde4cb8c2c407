pub fn add(sum: &mut u32, x: u32) {
    *sum += x;
}
