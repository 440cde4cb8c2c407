pub struct Guard(pub u32);

impl Drop for Guard {
    fn drop(&mut self) {
        println!("closing {}", self.0);
    }
}
