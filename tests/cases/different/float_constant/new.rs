pub fn scaled(x: f64) -> f64 {
    x * 0.10000000000000002
}
