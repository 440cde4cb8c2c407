pub fn factorial(x: u32) -> u32 {
    if x == 0 { 0 } else { x * factorial(x - 1) }
}
