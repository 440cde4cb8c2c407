pub fn same(number: u64) -> u64 {
    number
}
