pub fn hash(seed: u32) -> u32 {
    dep::hash(seed)
}
