
/// Polls a future so many times, and drops it.
fn poll<F: std::future::Future>(future: F, times: usize) -> Option<F::Output> {
    let mut future = Box::pin(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    for _ in 0..times {
        if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
    }
    None
}

/// Whether it panics.
fn panics<R>(run: impl FnOnce() -> R) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
}
