use std::fmt;

pub struct Failure(pub u32);

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failure #{}", self.0)
    }
}
