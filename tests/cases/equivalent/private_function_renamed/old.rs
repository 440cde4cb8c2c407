pub fn run(x: u64) -> u64 {
    step(x, 10)
}

fn step(x: u64, left: u64) -> u64 {
    if left == 0 { x } else { step(x ^ left, left - 1) }
}
