pub struct D(pub i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("one");
    }
}
pub fn boom() {
    std::panic::panic_any(D(1))
}

pub fn boom_in_a_box() {
    std::panic::resume_unwind(Box::new(D(2)))
}

pub fn throw<T: Send + 'static>(value: T) {
    std::panic::panic_any(value)
}
