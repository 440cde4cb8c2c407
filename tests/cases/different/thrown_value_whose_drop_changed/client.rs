pub fn caught() -> bool {
    std::panic::catch_unwind(|| dep::boom()).is_err()
}

pub fn joined() -> bool {
    std::thread::spawn(|| dep::boom()).join().is_err()
}
