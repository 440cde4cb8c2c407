pub fn f(x: &dyn dep::Tr) -> i32 {
    dep::run(x)
}
pub use dep::Tr;
