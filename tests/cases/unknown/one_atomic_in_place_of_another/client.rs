pub fn put(x: u32) {
    dep::put(x)
}

pub fn get() -> u32 {
    dep::get()
}
