#[non_exhaustive]
pub enum Kind {
    Small,
    Large,
    Huge,
}
