/// How many steps it takes to come to 1, where even numbers are halved and odd ones tripled plus one.
pub fn steps(start: u32) -> u32 {
    let (mut number, mut steps) = (start, 0);
    while number > 1 {
        let halvings = number.trailing_zeros();
        number >>= halvings;
        steps += halvings;
        if number > 1 {
            number = number * 3 + 1;
            steps += 1;
        }
    }
    steps
}
