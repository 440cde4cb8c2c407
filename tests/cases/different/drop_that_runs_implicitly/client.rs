pub fn run(x: u32) -> u32 {
    let _guard = dep::Guard(x);
    x + 1
}
