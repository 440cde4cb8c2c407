pub fn pick(x: u64, y: u64) -> u64 {
    let result;
    // SAFETY: it only touches `result`.
    unsafe { std::arch::asm!("mov {0}, rcx", out(reg) result, in("rcx") x, in("rdx") y) };
    result
}
