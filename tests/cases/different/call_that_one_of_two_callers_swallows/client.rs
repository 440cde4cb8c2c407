fn helper(x: u32) -> u32 {
    dep::next(x)
}

pub fn swallows(x: u32) -> u32 {
    helper(x).min(1)
}

pub fn passes_on(x: u32) -> u32 {
    helper(x)
}
