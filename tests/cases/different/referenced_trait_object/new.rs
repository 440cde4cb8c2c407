pub trait Scale {
    fn of(&self, x: u32) -> u32;
}

pub struct Twice;

impl Scale for Twice {
    fn of(&self, x: u32) -> u32 {
        x / 2
    }
}
