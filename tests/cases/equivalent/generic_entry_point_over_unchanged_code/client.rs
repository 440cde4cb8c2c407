pub fn largest<T: Ord + Copy>(all: &[T], start: T) -> T {
    let mut best = start;
    for &one in all {
        best = dep::larger(best, one);
    }
    best
}
