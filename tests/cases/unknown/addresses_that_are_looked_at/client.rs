use std::hash::{DefaultHasher, Hash, Hasher};

union Both {
    function: fn() -> u32,
    number: usize,
}

pub fn of_a_function() -> usize {
    dep::one as fn() -> u32 as usize % 4096
}

pub fn by_transmute() -> usize {
    let number: usize = unsafe { std::mem::transmute(dep::one as fn() -> u32) };
    number % 4096
}

pub fn by_a_union() -> usize {
    unsafe { Both { function: dep::one }.number % 4096 }
}

pub fn by_a_method() -> usize {
    let here: &'static [u32] = dep::TABLE;
    here.as_ptr().addr() % 4096
}

pub fn as_text() -> String {
    let text = format!("{:p}", dep::TABLE);
    text[text.len() - 3..].to_owned()
}

pub fn as_text_of_a_pointer() -> String {
    let text = format!("{:?}", dep::TABLE.as_ptr());
    text[text.len() - 3..].to_owned()
}

pub fn by_order() -> bool {
    (dep::one as fn() -> u32) < (dep::two as fn() -> u32)
}

pub fn by_a_hash() -> u64 {
    let mut hasher = DefaultHasher::new();
    let low = dep::TABLE.as_ptr() as *const u8;
    low.hash(&mut hasher);
    hasher.finish() % 2 + u64::from(dep::one())
}
