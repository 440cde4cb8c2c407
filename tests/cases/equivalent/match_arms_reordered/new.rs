pub fn class(x: u8) -> u8 {
    match x {
        7 => 30,
        1 => 20,
        0 => 10,
        _ => 40,
    }
}
