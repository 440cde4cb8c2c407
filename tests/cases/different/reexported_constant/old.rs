pub const LENGTH: usize = 4;
