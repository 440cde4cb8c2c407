//! Numbers that look random, the same ones in each run: what is found once is found again.

/// A sequence of numbers. Any spread serves: nothing rests on how random they are.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        let state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // From zero, all numbers would be zero.
        Random { state: state.max(1) }
    }

    pub fn number(&mut self) -> u64 {
        // xorshift64*
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn wide(&mut self) -> u128 {
        u128::from(self.number()) << 64 | u128::from(self.number())
    }

    /// A number less than the limit, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }

    /// Whether it is one of so many cases in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there is at least one.
    pub fn pick<'l, T>(&mut self, of: &'l [T]) -> &'l T {
        &of[self.below(of.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        items.sort_by_cached_key(|_| self.number());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_gives_a_sequence_that_goes_on() {
        for seed in [0, 1, u64::MAX] {
            let (mut one, mut two) = (Random::new(seed), Random::new(seed));
            let numbers: Vec<u64> = (0..4).map(|_| one.number()).collect();
            assert!(numbers.windows(2).all(|it| it[0] != it[1]), "{numbers:?}");
            assert_eq!(numbers, (0..4).map(|_| two.number()).collect::<Vec<_>>());
        }
    }
}
