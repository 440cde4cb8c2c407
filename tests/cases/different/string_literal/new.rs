pub fn name(x: bool) -> &'static str {
    if x { "yes" } else { "No" }
}
