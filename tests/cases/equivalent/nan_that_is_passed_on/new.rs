pub fn g(a: f64) -> f64 {
    if a.is_nan() { -(-a) } else { a }
}

pub fn magnitude(a: f32) -> f32 {
    a.abs()
}

pub fn sum(a: f64, b: f64) -> f64 {
    b + a
}

pub fn product(a: f64, b: f64) -> f64 {
    let c = b * a;
    -c
}

pub fn sign(a: f64) -> f64 {
    if a.is_nan() { f64::NAN } else { f64::copysign(1.0, a) }
}

pub fn total(all: [f64; 3]) -> f64 {
    let mut total = 0.0;
    let mut index = 0;
    while index < 3 {
        total = all[index] + total;
        index += 1;
    }
    total
}
