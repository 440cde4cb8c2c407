pub struct Steps;

impl IntoIterator for Steps {
    type Item = u32;
    type IntoIter = dep::Counter;

    fn into_iter(self) -> dep::Counter {
        dep::Counter(0)
    }
}
