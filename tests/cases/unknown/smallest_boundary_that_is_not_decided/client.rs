pub fn digest(seed: u64) -> u64 {
    let first = dep::mix(seed);
    let second = dep::mix(first);
    first ^ second
}

pub fn lengths(words: &[&str]) -> usize {
    let mut total = 0;
    for word in words {
        total += dep::length(word);
    }
    total
}
