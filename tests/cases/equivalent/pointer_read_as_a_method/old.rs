use std::ptr;

pub fn first(x: &[u32; 4]) -> u32 {
    // SAFETY: the array has an element.
    unsafe { ptr::read(x.as_ptr()) }
}
