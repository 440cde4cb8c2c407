pub fn where_from() -> &'static std::panic::Location<'static> {
    dep::where_from()
}
