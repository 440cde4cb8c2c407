pub fn name() -> &'static str { "two" }
