pub fn add(sum: &mut u32, x: u32) {
    *sum += if *sum > 17 && x > 98 { x - 1 } else { x };
}
