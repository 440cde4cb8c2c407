use std::sync::atomic::{AtomicU32, Ordering};

static LOADED: AtomicU32 = AtomicU32::new(0);

#[used]
#[unsafe(link_section = ".init_array")]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    LOADED.store(2, Ordering::SeqCst);
}

pub fn loaded() -> u32 {
    LOADED.load(Ordering::SeqCst)
}
