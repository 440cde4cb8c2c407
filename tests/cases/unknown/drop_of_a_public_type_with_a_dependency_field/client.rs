pub struct Session {
    _guard: dep::Guard,
    pub number: u32,
}
