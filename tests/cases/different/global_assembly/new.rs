std::arch::global_asm!("dep_next:", "lea rax, [rdi + 2]", "ret");

unsafe extern "sysv64" {
    fn dep_next(x: u64) -> u64;
}

pub fn next(x: u64) -> u64 {
    // SAFETY: it is defined above.
    unsafe { dep_next(x) }
}
