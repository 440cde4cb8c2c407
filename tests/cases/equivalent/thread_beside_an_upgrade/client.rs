pub fn run(value: u32) -> u32 {
    let one = std::thread::spawn(|| 1).join();
    dep::next(value).wrapping_add(one.unwrap_or(0))
}
