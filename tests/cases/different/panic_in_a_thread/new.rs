pub fn panics() {
    panic!("abcd")
}
