unsafe extern "C" {
    fn dep_step(x: u32) -> u32;
}

pub fn run(x: u32) -> u32 {
    // SAFETY: the dependency defines it so.
    unsafe { dep_step(x) }
}

pub use dep as _;
