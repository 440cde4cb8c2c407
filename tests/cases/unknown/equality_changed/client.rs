pub fn run(x: u32, all: &[u32]) -> bool {
    all.iter().map(|y| dep::Id(*y)).any(|y| y == dep::Id(x))
}
