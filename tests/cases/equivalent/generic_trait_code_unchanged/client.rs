use dep::Shape;

pub struct Scaled<S> {
    pub inner: S,
    pub by: u32,
}

impl<S: Shape> Shape for Scaled<S> {
    fn area(&self) -> u32 {
        self.inner.area() * self.by
    }
}

pub fn total<'a, S: Shape + 'a>(all: impl IntoIterator<Item = &'a S>) -> u32 {
    all.into_iter().map(Shape::doubled).sum()
}

pub fn boxed<S: Shape + 'static>(shape: S) -> Box<dyn Shape> {
    Box::new(Scaled { inner: shape, by: 2 })
}
