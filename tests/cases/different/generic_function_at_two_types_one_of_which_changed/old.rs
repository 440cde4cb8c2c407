pub trait Step {
    fn step(self) -> Self;
}

impl Step for u32 {
    fn step(self) -> u32 {
        self + 1
    }
}

impl Step for u64 {
    fn step(self) -> u64 {
        self + 1
    }
}

pub fn twice<T: Step>(x: T) -> T {
    x.step().step()
}
