use std::fmt::{Display, Formatter, Result};

pub struct Noisy(pub u8);

impl Display for Noisy {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str("noisy")
    }
}
