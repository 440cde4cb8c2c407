use std::panic::Location;

pub fn here() -> u32 {
    dep::of_caller().line()
}

pub fn both() -> bool {
    dep::of_caller() == Location::caller()
}
