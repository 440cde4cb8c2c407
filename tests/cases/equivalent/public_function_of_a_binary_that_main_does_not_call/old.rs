pub fn greeting() -> &'static str {
    "hello"
}

pub fn number() -> u32 {
    1
}
