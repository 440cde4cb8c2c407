pub fn run(x: bool) -> String {
    dep::name(x).to_owned()
}
