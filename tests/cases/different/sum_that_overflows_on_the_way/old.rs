pub fn total(count: i32, price: i32) -> i32 {
    let mut sum = 1;
    for _ in 0..count {
        sum += price;
    }
    sum
}
