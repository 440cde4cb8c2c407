pub trait Shape {
    fn area(&self) -> u32;

    fn doubled(&self) -> u32 {
        self.area() << 2
    }
}
