pub fn p(a: u32, b: u32) -> dep::P {
    dep::p(a, b)
}

pub fn all() -> impl Iterator<Item = dep::P> {
    dep::all()
}

pub fn with<T: Fn(dep::P)>(f: T) {
    f(dep::p(1, 2))
}
