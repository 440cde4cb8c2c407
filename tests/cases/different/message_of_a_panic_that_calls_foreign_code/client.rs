//! A foreign function is not the compiler's because it is called so.

pub fn shown(a: u8) {
    assert!(a < 200, "{}", dep::Noisy(a));
}

extern "C" fn print(a: u8) {
    print!("{a}");
}

static PRINT: extern "C" fn(u8) = print;

std::arch::global_asm!(
    ".globl my__rust_bell",
    "my__rust_bell: jmp *{}(%rip)",
    sym PRINT,
    options(att_syntax)
);
