fn main() {
    println!("{} {}", dep::word(), std::process::id());
}
