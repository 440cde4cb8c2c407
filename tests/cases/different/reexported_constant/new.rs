pub const LENGTH: usize = 5;
