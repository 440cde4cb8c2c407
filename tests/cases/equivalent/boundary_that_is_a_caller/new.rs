pub fn rank(code: u8) -> u8 {
    if code < 20 { 1 } else { 3 }
}
