pub fn far(a: [u32; 8]) -> isize {
    let p = a.as_ptr();
    unsafe { p.add(3).offset_from(p) }
}
