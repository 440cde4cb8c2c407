pub fn run(x: bool) -> u8 {
    let kind = if x { dep::Kind::Small } else { dep::Kind::Large };
    kind as u8
}
