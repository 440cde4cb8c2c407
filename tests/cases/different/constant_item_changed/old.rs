pub const OFFSET: u32 = 3;
