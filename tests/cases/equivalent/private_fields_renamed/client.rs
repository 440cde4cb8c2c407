pub fn p(a: u32, b: u32) -> dep::P {
    dep::p(a, b)
}
