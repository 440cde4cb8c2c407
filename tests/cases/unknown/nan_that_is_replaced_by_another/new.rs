pub fn g(a: f64) -> f64 {
    if a.is_nan() { f64::NAN } else { a }
}

pub fn sum(a: f64, b: f64) -> f64 {
    if (a + b).is_nan() { f64::NAN } else { b + a }
}

pub fn bits_of_a_sum(a: f64, b: f64) -> u64 {
    (b + a).to_bits() % 2
}

pub fn magnitude_of_a_sum(a: f64, b: f64) -> f64 {
    if (a + b).is_nan() { -(a + b).abs() } else { 0.0 }
}

pub fn nan(which: bool) -> f32 {
    if which { -f32::NAN } else { 1.0 }
}
