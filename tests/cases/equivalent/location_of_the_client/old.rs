#[track_caller]
pub fn of_caller() -> &'static std::panic::Location<'static> {
    std::panic::Location::caller()
}
