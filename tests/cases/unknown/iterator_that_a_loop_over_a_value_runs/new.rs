pub struct Counter(pub u32);

impl Iterator for Counter {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 += 2;
        Some(self.0)
    }
}
