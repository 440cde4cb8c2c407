pub struct Numbers(pub u32);

pub struct Countdown(u32);

impl IntoIterator for Numbers {
    type Item = u32;
    type IntoIter = Countdown;

    fn into_iter(self) -> Countdown {
        Countdown(self.0)
    }
}

impl Iterator for Countdown {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}
