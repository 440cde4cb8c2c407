pub fn f(x: u8) {
    panic!("{} {}", x, dep::E(x))
}
pub fn g(x: Result<u8, dep::D>) -> u8 {
    x.unwrap()
}
pub fn h(x: u8) {
    assert_eq!(dep::D(x, None), dep::D(1, None))
}
pub fn i(n: u8) -> u8 {
    make(n).unwrap()
}
pub fn j(n: u8) -> u8 {
    match make(n) {
        Ok(n) => n,
        Err(e) => panic!("bad: {e}"),
    }
}
pub fn k(n: u8) -> u8 {
    make(n).expect("good")
}
fn make(n: u8) -> Result<u8, dep::Error> {
    if n > 3 { Err(dep::Error::None) } else { Ok(n) }
}
