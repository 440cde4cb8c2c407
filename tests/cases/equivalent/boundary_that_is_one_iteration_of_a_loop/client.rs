pub fn sum(values: [u8; 4]) -> u32 {
    let mut total = 0;
    let mut at = 0;
    while at < 4 {
        let next = dep::widen(values[at]);
        total += next & 0xff;
        at += 1;
    }
    total
}
