pub struct Item(u32);

impl Item {
    pub fn new(number: u32) -> Item {
        Item(number)
    }
}
