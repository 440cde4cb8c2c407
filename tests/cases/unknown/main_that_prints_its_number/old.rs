pub fn word() -> &'static str { "one" }
