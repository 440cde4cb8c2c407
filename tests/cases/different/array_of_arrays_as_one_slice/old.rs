pub fn at(m: [[u8; 2]; 2], i: usize) -> u8 {
    m.as_flattened()[i]
}
