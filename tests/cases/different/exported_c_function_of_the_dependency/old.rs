#[unsafe(no_mangle)]
extern "C" fn dep_step(x: u32) -> u32 {
    x ^ 1
}
