pub fn is_even(x: u32) -> bool {
    x == 0 || is_odd(x - 1)
}

fn is_odd(x: u32) -> bool {
    x != 0 && is_even(x - 1)
}
