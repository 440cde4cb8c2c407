use std::fmt::{Display, Formatter, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

static COUNT: AtomicUsize = AtomicUsize::new(0);

pub fn count() -> usize {
    COUNT.load(Ordering::SeqCst)
}

pub struct E;

impl Display for E {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str("e")
    }
}
