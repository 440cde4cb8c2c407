pub fn run(x: &dep::Kind) -> bool {
    matches!(x, dep::Kind::Small)
}
