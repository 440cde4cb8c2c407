mod units {
    pub struct Meters(pub(crate) u8);
}
pub use units::Meters;
pub type Length = Meters;

pub fn length() -> Length {
    Meters(5)
}
