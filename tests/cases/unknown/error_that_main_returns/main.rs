fn main() -> Result<(), dep::Failure> {
    Err(dep::Failure(3))
}
