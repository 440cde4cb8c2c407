/// The number after `x`.
pub fn next(x: u64) -> u64 {
    let mut result = x;
    // SAFETY: it only touches `result`.
    unsafe { std::arch::asm!("add {0}, 1", inout(reg) result) };
    result
}
