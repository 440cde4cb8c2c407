struct Inner;

pub fn name() -> &'static str {
    std::any::type_name::<Inner>()
}
