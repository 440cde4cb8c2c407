pub fn word() -> &'static str { "two" }
