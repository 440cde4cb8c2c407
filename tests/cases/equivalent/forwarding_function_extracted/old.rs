pub fn halved(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}
