pub fn rank(code: u8) -> u8 {
    if code < 10 { 1 } else { 2 }
}
