pub trait Scale {
    fn up(&self, x: u32) -> u32;
    fn down(&self, x: u32) -> u32;
}

pub struct Twice;

impl Scale for Twice {
    fn up(&self, x: u32) -> u32 {
        x * 2
    }

    fn down(&self, x: u32) -> u32 {
        x / 2
    }
}

pub fn dynamic(scale: &dyn Scale, x: u32) -> u32 {
    scale.down(x)
}
