#[derive(Debug, Clone, Copy)]
pub enum Letter {
    A,
    B,
}
pub use Letter::B as First;
