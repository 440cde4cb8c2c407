pub enum E {
    A,
    B,
}

pub fn e() -> E {
    E::A
}

pub fn is_first(e: E) -> bool {
    matches!(e, E::A)
}
