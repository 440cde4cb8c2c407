pub fn halved(x: u32) -> Option<u32> {
    divided(x, 2)
}

#[inline]
fn divided(x: u32, by: u32) -> Option<u32> {
    let _ = by;
    halved_inner(x)
}

fn halved_inner(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}
