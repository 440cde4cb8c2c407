pub mod v1 {
    pub fn level() -> i32 {
        1
    }
}
pub mod v2 {
    pub fn level() -> i32 {
        2
    }
}
pub use v1::*;
