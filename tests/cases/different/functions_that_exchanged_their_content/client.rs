pub fn price(width: u32, height: u32) -> u64 {
    u64::from(dep::square(width)) + 2 * u64::from(dep::area(height))
}
