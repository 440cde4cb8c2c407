/// The bounds of what comes next speak of what comes after that, which has the same bounds.
pub trait Stage: Sized {
    type Next: Stage + Into<Option<<Self::Next as Stage>::Next>>;

    fn next(self) -> Self::Next;
}

pub fn twice(number: u32) -> u32 {
    number.wrapping_add(number)
}
