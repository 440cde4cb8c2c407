pub fn hash(seed: u32) -> u32 {
    let mut round = 0;
    let mut hash = seed;
    while round < 100_000 {
        if round == 5 {
            round = 1;
        }
        round += 1;
        hash = hash.wrapping_mul(3) ^ 1;
    }
    hash
}
