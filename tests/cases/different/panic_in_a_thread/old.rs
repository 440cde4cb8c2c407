pub fn panics() {
    panic!("abc")
}
