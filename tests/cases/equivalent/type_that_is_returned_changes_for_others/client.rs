pub fn check(a: u8) -> Result<u8, dep::Odd> {
    dep::check(a)
}
