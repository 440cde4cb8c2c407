pub trait Number {
    fn number(&self) -> u32;
}

impl Number for u8 {
    fn number(&self) -> u32 {
        1
    }
}
