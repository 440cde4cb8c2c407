pub use dep::{NAME, inner::LIMIT};

pub const HALF: f64 = dep::WHOLE / 2.0;
pub const LETTER: char = dep::LETTER;
pub const PAIR: (bool, [u8; 2]) = (dep::IS_NEW, [1, dep::LETTER as u8]);
pub static TABLE: &[Option<&str>] = &[Some(dep::NAME), None];
/// Its parts are not shown.
pub const WRAPPED: dep::Wrapper = dep::Wrapper(dep::LETTER as u8);
