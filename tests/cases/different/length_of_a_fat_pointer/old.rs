pub fn same(a: [u32; 3], i: usize) -> bool {
    core::ptr::eq(&a[..1], &a[..i])
}
