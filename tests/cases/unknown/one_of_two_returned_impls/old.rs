pub struct Up(u32);
pub struct Down(u32);

impl Iterator for Up {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_add(1)?;
        Some(self.0)
    }
}

impl Iterator for Down {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

pub fn first(x: u32) -> Up {
    Up(x)
}

pub fn second(x: u32) -> Down {
    Down(x)
}
