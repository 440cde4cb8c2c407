use std::num::ParseIntError;

pub fn parse(text: &str) -> Result<u32, ParseIntError> {
    let number = text.parse::<u32>()?;
    Ok(number / 2)
}
