pub async fn run(x: u32) -> u32 {
    std::future::ready(()).await;
    dep::step(x)
}
