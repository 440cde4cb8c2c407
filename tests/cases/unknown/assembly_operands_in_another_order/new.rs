pub fn copy(x: u64) -> u64 {
    let result: u64;
    // SAFETY: it only touches registers.
    unsafe { std::arch::asm!("mov {0}, {1}", in(reg) x, lateout(reg) result) };
    result
}
