#[derive(Default)]
pub struct Meter {
    sum: i32,
}

impl Meter {
    pub fn add(&mut self, step: i8) {
        self.sum += weight(step) * 2;
    }

    pub fn reading(&self) -> i32 {
        self.sum
    }
}

fn weight(step: i8) -> i32 {
    i32::from(step)
}
