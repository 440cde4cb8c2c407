/// Native runs do not tell NaNs apart.
pub fn direct(a: f64) -> f64 {
    dep::g(a)
}

pub fn of_a_sum(a: f64, b: f64) -> f64 {
    dep::sum(a, b)
}

pub fn bits_of_a_sum(a: f64, b: f64) -> u64 {
    dep::bits_of_a_sum(a, b)
}

pub fn sign_of_a_sum(a: f64, b: f64) -> f64 {
    dep::magnitude_of_a_sum(a, b)
}

pub fn one_of_two(which: bool) -> f32 {
    dep::nan(which)
}
