struct Renamed;

pub fn name() -> &'static str {
    std::any::type_name::<Renamed>()
}
