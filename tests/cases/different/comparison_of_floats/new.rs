pub fn scaled(x: f64) -> f64 {
    if x > 0.5 { x } else { -x }
}
