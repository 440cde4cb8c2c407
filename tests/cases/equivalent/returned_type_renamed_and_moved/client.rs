pub fn length() -> dep::Length {
    dep::length()
}

pub fn lengths() -> [dep::Length; 2] {
    [dep::length(), dep::length()]
}
