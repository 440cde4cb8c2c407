pub fn pick(c: bool, x: u32) -> u32 {
    if c {
        loop {}
    }
    if x.wrapping_mul(0x9E3779B1) == 0xDEADBEEF {
        return 1;
    }
    x
}
