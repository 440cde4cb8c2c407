pub struct Metres(u8);
pub struct Feet(u8);
pub type Length = Metres;
pub type Number = u32;
pub const ONE: Number = 49;
pub const NUMBER: usize = 3;
pub type Count = usize;

pub fn length() -> Length {
    Metres(5)
}

pub type Both = (Metres, Feet);

pub fn both() -> Both {
    (Metres(1), Feet(1))
}
