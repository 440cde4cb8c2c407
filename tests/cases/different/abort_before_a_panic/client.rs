pub fn run(number: u32) -> u32 {
    dep::run(number)
}
