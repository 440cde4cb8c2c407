pub struct P {
    pub y: u32,
    pub x: u32,
}

pub fn p(a: u32, b: u32) -> P {
    P { y: a, x: b }
}

pub fn all() -> std::vec::IntoIter<P> {
    vec![p(1, 2)].into_iter()
}
