pub fn run(x: f64) -> f64 {
    dep::scaled(x)
}
