pub const NAME: &str = "new";
pub const WHOLE: f64 = 3.0;
pub const LETTER: char = 'b';
pub const IS_NEW: bool = true;
#[derive(Debug)]
pub struct Wrapper(pub u8);

pub mod inner {
    pub const LIMIT: i128 = -2;
}
