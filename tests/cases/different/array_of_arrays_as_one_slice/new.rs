pub fn at(m: [[u8; 2]; 2], i: usize) -> u8 {
    if i >= 4 {
        panic!()
    }
    m[0][i & 1]
}
