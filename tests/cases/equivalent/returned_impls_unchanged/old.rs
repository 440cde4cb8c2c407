#[derive(Clone)]
pub struct Numbers(pub u32, pub u32);

impl Iterator for Numbers {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        (self.0 < self.1).then(|| {
            self.0 += 1;
            self.0
        })
    }
}

impl DoubleEndedIterator for Numbers {
    fn next_back(&mut self) -> Option<u32> {
        (self.0 < self.1).then(|| {
            self.1 -= 1;
            self.1
        })
    }
}
