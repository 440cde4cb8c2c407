pub type Word = u8;
pub type Number = u32;
pub const LENGTH: usize = 3;

pub trait Provides {
    const PROVIDED: u8 = 1;
}
