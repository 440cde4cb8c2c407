pub trait Tr {
    fn v(&self) -> i32;
}
impl Tr for u8 {
    fn v(&self) -> i32 {
        i32::from(*self)
    }
}
static SEEN: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);
pub fn run(x: &dyn Tr) -> i32 {
    SEEN.fetch_add(x.v(), std::sync::atomic::Ordering::Relaxed)
}
