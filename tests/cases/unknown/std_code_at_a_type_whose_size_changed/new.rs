pub struct Item(u64);

impl Item {
    pub fn new(number: u32) -> Item {
        Item(number.into())
    }
}
