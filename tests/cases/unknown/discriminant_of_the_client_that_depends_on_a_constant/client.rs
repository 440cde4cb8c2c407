pub enum Kind {
    Small = 1,
    Large = dep::LARGE,
}
