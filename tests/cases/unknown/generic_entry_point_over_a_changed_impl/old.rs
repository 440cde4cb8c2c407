pub trait Number {
    const CONSTANT: u32;

    fn number(&self) -> u32;
}

impl Number for u8 {
    const CONSTANT: u32 = 1;

    fn number(&self) -> u32 {
        one()
    }
}

pub struct Made(u8);

impl From<u8> for Made {
    fn from(value: u8) -> Made {
        Made(value)
    }
}

fn one() -> u32 {
    1
}
