pub fn run(x: u32) -> Option<u32> {
    dep::halved(x)
}
