pub fn run(values: &[u32]) -> u32 {
    values.iter().map(|x| x / 2).filter(|x| x % 3 == 0).sum()
}
