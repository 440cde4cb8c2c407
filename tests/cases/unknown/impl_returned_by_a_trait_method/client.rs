pub trait Source {
    fn all(&self) -> impl Iterator<Item = u32>;
}

pub struct Number(pub u32);

impl Source for Number {
    fn all(&self) -> impl Iterator<Item = u32> {
        dep::Countdown(self.0)
    }
}
