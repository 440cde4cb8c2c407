use std::sync::atomic::{AtomicU32, Ordering};

pub static LAST: AtomicU32 = AtomicU32::new(0);

pub struct Guard(pub u32);

impl Drop for Guard {
    fn drop(&mut self) {
        LAST.store(self.0, Ordering::SeqCst);
    }
}
