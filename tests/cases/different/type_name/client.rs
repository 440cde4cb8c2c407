pub fn run() -> &'static str {
    dep::name()
}
