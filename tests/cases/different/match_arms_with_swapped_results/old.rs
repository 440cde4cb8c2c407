pub fn class(x: u8) -> u8 {
    match x {
        0 => 10,
        1 => 20,
        _ => 40,
    }
}
