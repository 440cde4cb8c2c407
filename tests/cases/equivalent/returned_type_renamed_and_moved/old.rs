pub struct Metres(u8);
pub type Length = Metres;

pub fn length() -> Length {
    Metres(5)
}
