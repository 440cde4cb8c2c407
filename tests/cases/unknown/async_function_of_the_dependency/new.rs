pub async fn step(x: u32) -> u32 {
    let later = x + 1;
    std::future::ready(()).await;
    later + 1
}
