pub fn greeting() -> &'static str {
    "good morning"
}
