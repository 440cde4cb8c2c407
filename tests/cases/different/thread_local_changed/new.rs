use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(1) };
}

pub fn count(x: u32) -> u32 {
    COUNT.replace(x)
}
