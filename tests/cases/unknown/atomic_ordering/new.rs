use std::sync::atomic::{AtomicU32, Ordering};

static LAST: AtomicU32 = AtomicU32::new(0);

pub fn put(x: u32) {
    LAST.store(x, Ordering::Relaxed);
}
