pub mod steps {
    pub mod inner {
        pub fn step(x: u32) -> u32 {
            x + 1
        }
    }
}
