pub fn same(x: u64) -> u64 {
    x
}
