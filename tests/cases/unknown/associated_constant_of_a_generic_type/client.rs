pub struct Buffer<T>(pub T);

impl<T> Buffer<T> {
    pub const LENGTH: usize = dep::LENGTH * 2;
}
