/// Neither factor is negative: both ways to add up overflow exactly where the product does not fit.
pub fn area(width: i32, height: i32) -> i32 {
    if width >= 0 && height >= 0 { dep::multiply(width, height) } else { 0 }
}
