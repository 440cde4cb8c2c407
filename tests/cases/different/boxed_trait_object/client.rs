pub fn run(loud: bool) -> u32 {
    dep::voice(loud).volume()
}
