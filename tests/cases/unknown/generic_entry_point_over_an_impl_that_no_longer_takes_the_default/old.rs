pub trait Number {
    fn number(&self) -> u32 {
        1
    }
}

impl Number for u8 {}
