use std::any::Any;

pub struct First;
pub struct Second;

pub fn is_mine(x: &dyn Any) -> bool {
    x.is::<Second>()
}
