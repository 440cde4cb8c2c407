pub fn run(x: u32) -> u32 {
    let scale: &dyn dep::Scale = &dep::Twice;
    scale.of(x)
}
