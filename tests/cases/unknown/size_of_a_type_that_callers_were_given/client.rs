pub fn token() -> dep::Token {
    dep::token()
}

pub fn size<T>(_: T) -> usize {
    size_of::<T>()
}
