fn main() {
    println!("{}", dep::greeting());
}
