pub const OFFSET: u32 = 4;
