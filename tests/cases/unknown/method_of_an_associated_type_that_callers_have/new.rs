pub trait Family {
    type Member: Default + Show;
}

pub trait Show {
    fn show(&self) -> i32;
}

#[derive(Default)]
pub struct Member;

impl Show for Member {
    fn show(&self) -> i32 {
        2
    }
}

impl<T> Family for Option<T> {
    type Member = Member;
}
