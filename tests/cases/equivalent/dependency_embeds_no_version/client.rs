pub fn run() -> &'static str {
    dep::NAME
}
