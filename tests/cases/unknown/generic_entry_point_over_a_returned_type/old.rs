pub trait Number {
    fn number(&self) -> u32;
}

pub struct Door;

impl Door {
    pub fn key(&self) -> Key {
        Key
    }
}

pub struct Key;

impl Number for Key {
    fn number(&self) -> u32 {
        1
    }
}
