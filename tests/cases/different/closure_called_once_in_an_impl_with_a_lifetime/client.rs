pub fn run(value: u32) -> u32 {
    dep::Held { value: &value }.doubled()
}
