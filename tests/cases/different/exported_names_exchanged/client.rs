use dep as d;
unsafe extern "C" {
    fn red_x() -> i32;
}
pub fn f() -> i32 {
    unsafe { red_x() }
}
pub fn keep() -> i32 {
    d::a() + d::b()
}
