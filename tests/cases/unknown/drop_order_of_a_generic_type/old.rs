pub struct Pair<T, U> {
    pub first: T,
    pub second: U,
}
