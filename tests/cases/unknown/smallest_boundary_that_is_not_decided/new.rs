pub fn mix(value: u64) -> u64 {
    let cell = std::sync::atomic::AtomicU64::new(value);
    cell.fetch_add(2, std::sync::atomic::Ordering::SeqCst)
}

pub fn length(word: &str) -> usize {
    word.as_bytes().len()
}
