/// The area of a rectangle.
pub fn area(width: u32, height: u32) -> u32 {
    // Wide and high.
    let area = width * height;
    area
}
