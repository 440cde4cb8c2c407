pub trait Number {
    fn number(&self) -> u32;
}

pub struct Key;

impl Number for Key {
    fn number(&self) -> u32 {
        2
    }
}
