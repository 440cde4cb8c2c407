pub const TEXT: &str = "one\ntwo\n!";
