pub struct Tail<T: ?Sized> {
    pub head: (u32, u32),
    pub tail: T,
}

pub fn pick(_a: u32, _b: u32, x: u32) -> u32 {
    x
}
