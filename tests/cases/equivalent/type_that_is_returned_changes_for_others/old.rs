pub struct Odd;

impl std::fmt::Display for Odd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("odd")
    }
}

pub fn check(a: u8) -> Result<u8, Odd> {
    if a % 2 == 0 { Ok(a) } else { Err(Odd) }
}
