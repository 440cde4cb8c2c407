pub fn g(a: f64) -> f64 {
    a
}

pub fn magnitude(a: f32) -> f32 {
    f32::from_bits(a.to_bits() & 0x7fff_ffff)
}

pub fn sum(a: f64, b: f64) -> f64 {
    a + b
}

pub fn product(a: f64, b: f64) -> f64 {
    -(a * b)
}

pub fn sign(a: f64) -> f64 {
    a.signum()
}

pub fn total(all: [f64; 3]) -> f64 {
    let mut total = 0.0;
    for one in all {
        total += one;
    }
    total
}
