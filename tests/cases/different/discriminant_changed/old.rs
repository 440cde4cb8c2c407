#[repr(u8)]
pub enum Kind {
    Small = 1,
    Large = 2,
}
