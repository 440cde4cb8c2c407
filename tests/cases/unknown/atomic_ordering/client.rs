pub fn put(x: u32) {
    dep::put(x)
}
