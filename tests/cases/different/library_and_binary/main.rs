fn main() {
    println!("{} {}", client::step(1), dep::greeting());
}
