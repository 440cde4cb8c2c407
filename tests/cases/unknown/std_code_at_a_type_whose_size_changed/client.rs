pub fn run(count: u32) -> usize {
    let all: Vec<dep::Item> = (0..count).map(dep::Item::new).collect();
    all.len()
}
