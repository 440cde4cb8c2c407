pub const LENGTH: usize = 2 + 2;

pub struct Pair<A, B> {
    pub first: A,
    pub second: B,
}

pub enum Kind {
    Small = 1,
    Large = 2,
}
