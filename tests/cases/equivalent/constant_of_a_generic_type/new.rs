pub const LENGTH: usize = 2 + 2;
