pub struct Pair<T, U> {
    pub second: U,
    pub first: T,
}
