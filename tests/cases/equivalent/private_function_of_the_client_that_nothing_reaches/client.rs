pub fn run(x: u32) -> u32 {
    x + 1
}

#[allow(dead_code)]
fn unused(x: u32) -> u32 {
    dep::step(x)
}
