pub struct Inner {
    number: u32,
}
