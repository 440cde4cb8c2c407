pub trait Show {
    fn show(&self) -> u8;
}

impl Show for u8 {
    fn show(&self) -> u8 {
        *self
    }
}

impl Show for &u8 {
    fn show(&self) -> u8 {
        **self
    }
}
