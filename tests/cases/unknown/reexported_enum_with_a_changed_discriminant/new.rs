pub enum Kind {
    Small = 1,
    Large = 3,
}
