pub fn of<T: dep::Number>(t: T) -> u32 {
    t.number()
}
