pub static OFFSET: u32 = 3;
