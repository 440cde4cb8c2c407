pub async fn run(x: u32) -> u32 {
    dep::step(x).await
}
