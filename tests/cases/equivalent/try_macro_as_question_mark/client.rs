pub fn run(x: &str) -> Result<u32, std::num::ParseIntError> {
    dep::parse(x)
}
