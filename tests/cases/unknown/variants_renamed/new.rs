pub enum E {
    B,
    A,
}

pub fn e() -> E {
    E::B
}

pub fn is_first(e: E) -> bool {
    matches!(e, E::B)
}
