pub fn line() -> u32 {
    dep::line()
}

pub fn where_from() -> &'static std::panic::Location<'static> {
    dep::where_from()
}

pub fn plus(a: u8) -> u8 {
    dep::plus(a).unwrap()
}
