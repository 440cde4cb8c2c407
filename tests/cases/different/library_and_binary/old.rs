pub fn greeting() -> &'static str {
    "hello"
}
