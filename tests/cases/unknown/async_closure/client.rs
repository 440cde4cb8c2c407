pub fn later() -> impl AsyncFn(i32) -> i32 {
    async move |t: i32| {
        let w = dep::mk();
        std::future::ready(()).await;
        t + w.0
    }
}
