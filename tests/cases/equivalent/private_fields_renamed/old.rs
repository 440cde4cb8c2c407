pub struct P {
    x: u32,
    pub(crate) y: u32,
    pub z: u32,
}

pub fn p(a: u32, b: u32) -> P {
    P { x: a, y: b, z: 0 }
}
