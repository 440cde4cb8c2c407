#[derive(Default)]
pub struct One(u8);
#[derive(Default)]
pub struct Two(u8);
impl One {
    pub fn name(&self) -> &'static str {
        "one"
    }
}
impl Two {
    pub fn name(&self) -> &'static str {
        "two"
    }
}
pub use One as Current;
