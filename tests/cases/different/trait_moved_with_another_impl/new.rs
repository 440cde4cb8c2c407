mod inner {
    pub trait Tr {
        fn v(&self) -> i32;
    }
    impl Tr for u8 {
        fn v(&self) -> i32 {
            i32::from(*self) + 1
        }
    }
    pub static SEEN: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);
}
pub use inner::Tr;
pub fn run(x: &dyn Tr) -> i32 {
    inner::SEEN.fetch_add(x.v(), std::sync::atomic::Ordering::Relaxed)
}
