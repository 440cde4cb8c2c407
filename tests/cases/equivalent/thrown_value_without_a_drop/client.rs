pub fn f() {
    dep::boom()
}
