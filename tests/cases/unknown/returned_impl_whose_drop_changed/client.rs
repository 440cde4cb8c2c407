pub fn run(x: u32) -> impl Sized {
    dep::Guard(x)
}
