// One line more.
pub fn line() -> u32 {
    std::panic::Location::caller().line()
}

pub fn where_from() -> &'static std::panic::Location<'static> {
    of_caller()
}

#[track_caller]
fn of_caller() -> &'static std::panic::Location<'static> {
    std::panic::Location::caller()
}

pub fn plus(a: u8) -> Option<u8> {
    Some(a.checked_add(1).unwrap())
}
