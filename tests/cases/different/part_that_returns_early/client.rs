pub fn first_large(a: u32, b: u32, c: u32) -> Option<u32> {
    let a = dep::clamp(a % 50);
    if a > 40 {
        return Some(a);
    }
    let b = dep::clamp(b % 60);
    if b > 40 {
        return Some(b);
    }
    let c = dep::clamp(c % 102);
    if c > 40 {
        return Some(c);
    }
    None
}
