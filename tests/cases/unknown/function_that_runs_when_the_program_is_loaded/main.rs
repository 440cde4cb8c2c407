fn main() {
    println!("{}", dep::loaded());
}
