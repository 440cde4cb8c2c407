pub trait Show {
    fn show(&self) -> u8;
}

impl Show for u8 {
    fn show(&self) -> u8 {
        *self ^ 1
    }
}

impl Show for &u8 {
    fn show(&self) -> u8 {
        **self ^ 1
    }
}
