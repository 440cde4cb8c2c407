/// The bits of a NaN that the dependency passes on, or replaces.
pub fn bits(a: u64) -> u64 {
    dep::g(f64::from_bits(a)).to_bits()
}

pub fn sign(a: f64) -> bool {
    dep::g(a).is_sign_negative()
}
