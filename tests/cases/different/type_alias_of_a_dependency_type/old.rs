pub struct Id(pub u32);

impl Id {
    pub fn next(&self) -> Id {
        Id(self.0 + 1)
    }
}
