//! Keeps what is wanted.

pub fn keep(all: &[u32], is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    all.iter().copied().filter(|&one| is_wanted(one)).collect()
}

pub fn drop(all: &[u32], is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    keep(all, |one| !is_wanted(one))
}
