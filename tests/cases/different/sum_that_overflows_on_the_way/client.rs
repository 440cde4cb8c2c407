pub fn total(count: i32, price: i32) -> i32 {
    dep::total(count, price)
}
