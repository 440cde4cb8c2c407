pub fn f() {
    panic!("{}", dep::E)
}
