use std::convert::Infallible;

#[inline(never)]
fn never(x: u32) -> Result<Infallible, Infallible> {
    let mut i = 0;
    while i < x {
        i += 1;
    }
    panic!()
}

pub fn pick(c: bool, x: u32) -> u32 {
    if c {
        let _ = never(x);
    }
    x
}
