pub fn where_from() -> &'static std::panic::Location<'static> {
    std::panic::Location::caller()
}
