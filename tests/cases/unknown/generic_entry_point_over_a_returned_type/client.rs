pub fn open() -> dep::Door {
    dep::Door
}

pub fn of<T: dep::Number>(t: T) -> u32 {
    t.number()
}
