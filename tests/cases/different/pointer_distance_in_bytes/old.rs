pub fn far(a: [u32; 8]) -> isize {
    let p = a.as_ptr();
    unsafe { p.add(3).byte_offset_from(p) }
}
