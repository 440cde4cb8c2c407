pub struct Holder {
    inner: Option<dep::Inner>,
}
