/// One step.
pub async fn step(number: u32) -> u32 {
    let later = number + 1;
    std::future::ready(()).await;
    later
}
