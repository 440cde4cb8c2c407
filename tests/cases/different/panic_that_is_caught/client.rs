pub fn length() -> usize {
    let payload = std::panic::catch_unwind(dep::panics).unwrap_err();
    payload.downcast_ref::<&str>().unwrap().len()
}

pub fn overflow(a: u8) -> String {
    let payload = std::panic::catch_unwind(|| dep::overflows(a)).unwrap_err();
    payload.downcast_ref::<&str>().unwrap().to_string()
}
