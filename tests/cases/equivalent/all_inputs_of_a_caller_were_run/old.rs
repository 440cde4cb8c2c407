/// How many steps it takes to come to 1, where even numbers are halved and odd ones tripled plus one.
pub fn steps(start: u32) -> u32 {
    match start {
        0 | 1 => 0,
        even if even % 2 == 0 => 1 + steps(even / 2),
        odd => 1 + steps(odd * 3 + 1),
    }
}
