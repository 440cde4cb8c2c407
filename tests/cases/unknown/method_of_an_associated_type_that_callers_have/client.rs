use dep::Show;

pub fn shown<T: dep::Family>() -> i32 {
    T::Member::default().show()
}
