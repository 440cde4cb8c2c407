pub static OFFSET: u32 = 4;
