pub fn run(values: &mut [u32]) {
    let step: fn(u32) -> u32 = dep::step;
    for value in values {
        *value = step(*value);
    }
}
