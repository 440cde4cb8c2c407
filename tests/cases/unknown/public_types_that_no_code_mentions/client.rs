pub type Word = dep::Word;
pub type Buffer = [u8; dep::LENGTH];

pub const LIMIT: dep::Number = 5;

pub struct Sized<const LENGTH: usize = { dep::LENGTH }>;

pub trait Encode {
    fn encode(&self) -> [u8; dep::LENGTH];
}

pub trait Decode {
    type Output;
}

pub struct Plain;

impl Decode for Plain {
    type Output = dep::Word;
}

impl dep::Provides for Plain {}
