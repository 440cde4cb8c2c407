use std::fmt::{Display, Formatter, Result};

unsafe extern "C" {
    safe fn my__rust_bell(a: u8);
}

pub struct Noisy(pub u8);

impl Display for Noisy {
    fn fmt(&self, f: &mut Formatter) -> Result {
        my__rust_bell(self.0);
        f.write_str("noisy")
    }
}
