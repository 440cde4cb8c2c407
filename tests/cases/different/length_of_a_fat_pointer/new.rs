pub fn same(a: [u32; 3], i: usize) -> bool {
    let _ = &a[..i];
    true
}
