#[unsafe(no_mangle)]
extern "C" fn client_step(x: u32) -> u32 {
    dep::step(x)
}
