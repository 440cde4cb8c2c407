pub struct W(pub i32);
pub fn mk() -> W {
    W(1)
}
