#[derive(Debug, Clone, Copy)]
pub enum Letter {
    A,
    B,
}
pub use Letter::A as First;
