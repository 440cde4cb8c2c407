pub type Word = u16;
pub type Number = i32;
pub const LENGTH: usize = 4;

pub trait Provides {
    const PROVIDED: u8 = 2;
}
