pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        std::process::exit(info.location().unwrap().line() as i32)
    }))
}

pub fn minus(a: u32) -> u32 {
    dep::minus(a)
}

pub fn panics() {
    dep::panics()
}
