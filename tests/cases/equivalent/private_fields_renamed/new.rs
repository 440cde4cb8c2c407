pub struct P {
    first: u32,
    second: u32,
    pub z: u32,
}

pub fn p(a: u32, b: u32) -> P {
    P { first: a, second: b, z: 0 }
}
