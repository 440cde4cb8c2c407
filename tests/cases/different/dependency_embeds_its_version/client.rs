pub fn run() -> &'static str {
    dep::VERSION
}
