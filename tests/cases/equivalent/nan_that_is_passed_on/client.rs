pub fn passed_on(a: f64) -> u64 {
    dep::g(a).to_bits()
}

pub fn sign(a: f32) -> f32 {
    dep::magnitude(a)
}

pub fn of_a_sum(a: f64, b: f64) -> f64 {
    dep::sum(a, b)
}

pub fn of_a_product(a: f64, b: f64) -> f64 {
    dep::product(a, b)
}

pub fn sign_of_a_quotient(a: f64, b: f64) -> f64 {
    dep::sign(a / b)
}

pub fn sum_of_all(all: [f64; 3]) -> f64 {
    dep::total(all)
}
