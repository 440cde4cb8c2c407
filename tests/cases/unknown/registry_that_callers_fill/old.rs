pub trait Handler: Send {
    fn handle(&self) -> i32;
}
impl Handler for u8 {
    fn handle(&self) -> i32 {
        1
    }
}
