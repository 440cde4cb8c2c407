use std::sync::atomic::{AtomicU32, Ordering};

pub static STATE: AtomicU32 = AtomicU32::new(0);

struct Report(*const u32);

impl Drop for Report {
    fn drop(&mut self) {
        // SAFETY: the local that it points to lives longer.
        STATE.store(unsafe { *self.0 }, Ordering::SeqCst);
    }
}

pub fn guarded(x: u32) -> u32 {
    let mut stage = 0;
    let pointer = &raw mut stage;
    let _report = Report(pointer);
    if x > 100 {
        stage = 1;
        panic!("too large");
    }
    stage + x
}
