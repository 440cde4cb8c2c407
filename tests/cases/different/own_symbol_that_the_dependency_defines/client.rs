unsafe extern "C" {
    safe fn level_of(number: u8) -> u8;
}

pub fn level(number: u8) -> u8 {
    let _ = dep::linked();
    level_of(number)
}
