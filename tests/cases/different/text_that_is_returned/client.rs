pub fn name() -> &'static str {
    dep::name()
}

pub fn greeting() -> String {
    format!("hello, {}", dep::name())
}

pub fn letters(count: u8) -> String {
    dep::name().chars().take(count.into()).collect()
}
