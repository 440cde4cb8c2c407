pub struct Id(pub u32);

impl From<Id> for u32 {
    fn from(id: Id) -> u32 {
        id.0 + 1
    }
}
