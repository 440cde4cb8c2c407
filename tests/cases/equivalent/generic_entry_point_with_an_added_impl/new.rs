pub trait Number {
    fn number(&self) -> u32;
}

impl<T: Number> Number for &T {
    fn number(&self) -> u32 {
        (*self).number()
    }
}

impl Number for u16 {
    fn number(&self) -> u32 {
        2
    }
}

impl Number for u8 {
    fn number(&self) -> u32 {
        1
    }
}
