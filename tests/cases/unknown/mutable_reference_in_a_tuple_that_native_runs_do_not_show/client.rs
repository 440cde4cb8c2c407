pub fn wave(step: (&mut u8,)) -> u8 {
    dep::wave(step.0)
}
