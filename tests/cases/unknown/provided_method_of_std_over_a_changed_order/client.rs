pub struct Levels(u8);

impl Iterator for Levels {
    type Item = dep::Level;

    fn next(&mut self) -> Option<dep::Level> {
        self.0 = self.0.checked_sub(1)?;
        Some(dep::Level(self.0))
    }
}

pub fn levels() -> Levels {
    Levels(3)
}
