pub fn count(number: u32) -> u32 {
    dep::count(number)
}
