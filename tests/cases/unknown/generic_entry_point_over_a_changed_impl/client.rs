pub fn of<T: dep::Number>(t: T) -> u32 {
    t.number()
}

pub fn constant<T: dep::Number>() -> u32 {
    T::CONSTANT
}

pub fn made(t: impl Into<dep::Made>) -> dep::Made {
    t.into()
}
