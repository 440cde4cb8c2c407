use std::convert::Infallible;

pub fn count(n: u32) -> u32 {
    let mut state: Option<Result<Infallible, u8>> = None;
    let mut i = 0u32;
    let mut sum = 0u32;
    while n > i {
        match state {
            None => sum = sum.wrapping_add(1),
            Some(Err(e)) => sum = sum.wrapping_add(e as u32 * 2 + 1),
        }
        i += 1;
        if i == 100_000 {
            state = Some(Err(3));
        }
    }
    sum
}
