/// Something with an area.
pub trait Shape {
    /// The area.
    fn area(&self) -> u32;

    /// Twice the area.
    fn doubled(&self) -> u32 {
        let single = self.area();
        single * 2
    }
}
