use std::sync::atomic::{AtomicU32, Ordering};

pub static STATE: AtomicU32 = AtomicU32::new(0);

struct Reset(u32);

impl Drop for Reset {
    fn drop(&mut self) {
        STATE.store(self.0 + 1, Ordering::SeqCst);
    }
}

pub fn guarded(x: u32, f: impl Fn(u32) -> u32) -> u32 {
    let reset = Reset(1);
    let result = f(x);
    std::mem::forget(reset);
    result
}
