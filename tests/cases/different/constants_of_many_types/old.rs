pub const NAME: &str = "old";
pub const WHOLE: f64 = 1.0;
pub const LETTER: char = 'a';
pub const IS_NEW: bool = false;
#[derive(Debug)]
pub struct Wrapper(pub u8);

pub mod inner {
    pub const LIMIT: i128 = -1;
}
