pub const TEXT: &str = "two\none\nthree";
