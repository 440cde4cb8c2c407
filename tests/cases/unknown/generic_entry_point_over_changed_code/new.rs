pub fn larger<T: Ord>(x: T, y: T) -> T {
    if x <= y { y } else { x }
}
