pub use dep::{Kind, Pair};

pub struct Buffer<T> {
    pub bytes: [u8; dep::LENGTH],
    pub pair: Pair<T, u8>,
}

impl<T> Buffer<T> {
    pub const LENGTH: usize = dep::LENGTH * 2;
}
