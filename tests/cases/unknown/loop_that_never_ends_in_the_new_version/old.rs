pub fn hash(seed: u32) -> u32 {
    let mut round = 0;
    let mut hash = seed;
    while round < 100_000 {
        round += 1;
        hash = hash.wrapping_mul(3);
    }
    hash
}
