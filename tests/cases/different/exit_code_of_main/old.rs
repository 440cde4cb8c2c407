pub fn code() -> u8 { 3 }
