pub fn name() -> &'static str { "one" }
