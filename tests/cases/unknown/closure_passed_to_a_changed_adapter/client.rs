pub fn run(values: &[u32], least: u32) -> Vec<u32> {
    dep::keep(values, |value| value >= least)
}
