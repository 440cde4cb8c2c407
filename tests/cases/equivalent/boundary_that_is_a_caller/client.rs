pub fn is_known(code: u8) -> bool {
    rank(code) > 0
}

fn rank(code: u8) -> u8 {
    if code == 0 {
        return 0;
    }
    dep::rank(code)
}
