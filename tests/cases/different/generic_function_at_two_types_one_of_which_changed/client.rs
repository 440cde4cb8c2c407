pub fn narrow(x: u32) -> u32 {
    dep::twice(x)
}

pub fn wide(x: u64) -> u64 {
    dep::twice(x)
}
