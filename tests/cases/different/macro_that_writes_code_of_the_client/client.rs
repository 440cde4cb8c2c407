dep::record! {
    pub struct Point {
        x: i64,
        y: i64,
    }
}
