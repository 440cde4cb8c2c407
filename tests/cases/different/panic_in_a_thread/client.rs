pub fn length() -> usize {
    let payload = std::thread::spawn(dep::panics).join().unwrap_err();
    payload.downcast_ref::<&str>().unwrap().len()
}
