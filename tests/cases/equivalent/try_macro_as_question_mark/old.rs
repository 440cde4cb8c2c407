use std::num::ParseIntError;

pub fn parse(x: &str) -> Result<u32, ParseIntError> {
    let value: u32 = x.parse()?;
    return Ok(value / 2);
}
