pub struct Inner {
    number: u64,
}
