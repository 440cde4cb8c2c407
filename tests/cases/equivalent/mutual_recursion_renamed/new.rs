fn odd(x: u32) -> bool {
    x != 0 && is_even(x - 1)
}

pub fn is_even(x: u32) -> bool {
    x == 0 || odd(x - 1)
}
