pub struct Guard(u32);

impl Drop for Guard {
    fn drop(&mut self) {
        println!("closed {}", self.0);
    }
}
