pub fn code() -> u8 { 4 }
