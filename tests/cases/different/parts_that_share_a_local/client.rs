pub fn total(x: u32, y: u32, z: u32) -> u32 {
    let mut total = 0;
    let sum = &mut total;
    if x < 10 {
        dep::add(sum, x);
    }
    if y < 10 {
        dep::add(sum, y);
    }
    if z < 100 {
        dep::add(sum, z);
    }
    total
}
