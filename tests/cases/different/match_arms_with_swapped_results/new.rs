pub fn class(x: u8) -> u8 {
    match x {
        0 => 20,
        1 => 10,
        _ => 40,
    }
}
