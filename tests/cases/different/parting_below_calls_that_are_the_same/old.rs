pub fn scale(value: u16, by: u16) -> u16 {
    let scaled = double_if(value, by == 2);
    clamp(scaled)
}

fn double_if(value: u16, double: bool) -> u16 {
    if double { value.saturating_mul(2) } else { value }
}

fn clamp(value: u16) -> u16 {
    if value > 255 {
        return 255;
    }
    value
}
