pub fn scaled(x: f64) -> f64 {
    x * 0.1
}
