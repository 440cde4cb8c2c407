/// What a rectangle costs: each side is limited before it is priced.
pub fn price(width: u32, height: u32, depth: u32) -> u64 {
    let width = width.min(100);
    let of_width = dep::square(width);
    let height = height.min(200);
    let of_height = dep::square(height);
    let of_depth = if depth < 300 { dep::square(depth) } else { 0 };
    u64::from(of_width) + u64::from(of_height) + u64::from(of_depth)
}
