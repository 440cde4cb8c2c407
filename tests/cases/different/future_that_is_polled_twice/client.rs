use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

struct Once(bool);

impl Future for Once {
    type Output = ();
    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// The value that is returned is made after the future gave up control once.
pub fn second(t: i32) -> Option<i32> {
    let mut context = Context::from_waker(Waker::noop());
    let mut future = pin!(async move {
        let first = dep::step(t);
        Once(false).await;
        dep::step(first)
    });
    for _ in 0..2 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
    }
    None
}
