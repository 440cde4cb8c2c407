use std::fmt::Display;

pub fn numbers(x: u32) -> impl DoubleEndedIterator<Item = u32> + Clone {
    dep::Numbers(0, x)
}

pub fn mapped(x: u32) -> impl Iterator<Item = impl Display> {
    dep::Numbers(0, x).map(|number| number + 1).filter(|number| number % 3 != 0)
}

pub fn generic<T: Copy>(x: T) -> impl Iterator<Item = T> {
    dep::Numbers(0, 3).map(move |_| x)
}

pub async fn later(x: u32) -> u32 {
    dep::Numbers(0, x).count() as u32
}
