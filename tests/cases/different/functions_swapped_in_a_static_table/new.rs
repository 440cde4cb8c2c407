pub static STEPS: [fn(u32) -> u32; 2] = [two, one];

fn one(x: u32) -> u32 {
    x ^ 1
}

fn two(x: u32) -> u32 {
    x ^ 2
}
