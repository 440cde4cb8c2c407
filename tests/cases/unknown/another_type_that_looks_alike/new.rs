pub struct Metres(u8);
pub struct Feet(u8);
pub type Length = Feet;
pub type Number = i32;
pub const ONE: Number = 49;
pub const NUMBER: usize = 4;
pub type Count = u64;

pub fn length() -> Length {
    Feet(5)
}

pub type Both = (Feet, Metres);

pub fn both() -> Both {
    (Feet(1), Metres(1))
}
