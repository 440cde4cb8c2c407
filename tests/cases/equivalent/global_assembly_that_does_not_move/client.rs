std::arch::global_asm!("client_next:", "lea rax, [rdi + 1]", "ret");

unsafe extern "sysv64" {
    fn client_next(x: u64) -> u64;
}

pub fn run(x: u64) -> u64 {
    // SAFETY: it is defined above.
    unsafe { client_next(dep::same(x)) }
}
