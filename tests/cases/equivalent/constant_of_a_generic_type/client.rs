pub struct Buffer<T>(pub T);

impl<T> Buffer<T> {
    const LENGTH: usize = size_of::<T>() * dep::LENGTH;

    pub fn length(&self) -> usize {
        Self::LENGTH
    }
}
