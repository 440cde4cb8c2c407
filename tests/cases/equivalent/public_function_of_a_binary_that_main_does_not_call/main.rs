fn main() {
    println!("{}", dep::greeting());
}

#[allow(dead_code)]
pub fn unused() -> u32 {
    dep::number()
}
