use std::sync::atomic::{AtomicU32, Ordering};

static FIRST: AtomicU32 = AtomicU32::new(0);
static SECOND: AtomicU32 = AtomicU32::new(0);

pub fn put(x: u32) {
    FIRST.store(x, Ordering::SeqCst);
    SECOND.store(x + 1, Ordering::SeqCst);
}

pub fn get() -> u32 {
    FIRST.load(Ordering::SeqCst)
}
