pub fn run(x: &dyn std::any::Any) -> bool {
    dep::is_mine(x)
}
