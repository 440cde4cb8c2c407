pub fn pick(a: u32, b: u32, c: u32) -> u32 {
    let f = |x: ((u32, u32), u32)| x.0.1;
    f(((a, b), c))
}
