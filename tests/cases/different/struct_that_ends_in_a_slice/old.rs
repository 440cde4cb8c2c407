pub struct Tail<T: ?Sized> {
    pub head: (u32, u32),
    pub tail: T,
}

pub fn pick(a: u32, b: u32, x: u32) -> u32 {
    let whole = Tail { head: (a, b), tail: [x] };
    let unsized_one: &Tail<[u32]> = &whole;
    let head = unsized_one.head;
    let _ = unsized_one.tail.len();
    head.1
}
