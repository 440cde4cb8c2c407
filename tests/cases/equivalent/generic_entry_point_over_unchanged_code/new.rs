pub fn larger<T: Ord>(left: T, right: T) -> T {
    if left < right { right } else { left }
}

pub fn smaller<T: Ord>(x: T, y: T) -> T {
    if y < x { y } else { x }
}
