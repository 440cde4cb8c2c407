pub fn keep(values: &[u32], wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    values.iter().copied().filter(|&value| wanted(value)).collect()
}
