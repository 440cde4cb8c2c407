pub fn run(values: &[u32]) -> u32 {
    if false {
        let _ = |x: u32| x + 1;
    }
    values.iter().map(|x| x / 2).filter(|x| x % 3 == 0).sum()
}
