pub fn multiply(a: i32, b: i32) -> i32 {
    let mut sum = 0;
    let mut i = 0;
    while i < a {
        sum += b;
        i += 1;
    }
    sum
}
