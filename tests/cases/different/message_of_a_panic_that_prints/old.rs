use std::fmt::{Debug, Display, Formatter, Result};

#[derive(PartialEq)]
pub struct E(pub u8);

impl Display for E {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str("e")
    }
}

impl Debug for E {
    fn fmt(&self, f: &mut Formatter) -> Result {
        f.write_str("e")
    }
}
