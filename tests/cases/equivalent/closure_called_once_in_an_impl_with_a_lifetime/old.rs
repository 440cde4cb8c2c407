pub struct Held<'a, T> {
    pub value: &'a T,
}

impl<'a, T: Copy + Into<u32>> Held<'a, T> {
    pub fn doubled(&self) -> u32 {
        let get = || (*self.value).into().wrapping_mul(2);
        once(get)
    }
}

fn once<R>(f: impl FnOnce() -> R) -> R {
    f()
}
