pub const LENGTH: usize = dep::LENGTH * 2;
