pub fn run(x: u64) -> u64 {
    go_on(x, 10)
}

fn go_on(x: u64, left: u64) -> u64 {
    if left == 0 { x } else { go_on(x ^ left, left - 1) }
}
