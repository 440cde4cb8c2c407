pub fn boom() {
    std::panic::panic_any(1)
}
