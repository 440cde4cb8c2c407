pub fn e() -> dep::E {
    dep::e()
}

pub fn is_first(e: dep::E) -> bool {
    dep::is_first(e)
}
