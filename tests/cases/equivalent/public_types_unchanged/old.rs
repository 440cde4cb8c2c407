pub const LENGTH: usize = 4;

pub enum Kind {
    Small = 1,
    Large = 2,
}

pub struct Pair<T, U> {
    pub first: T,
    pub second: U,
}
