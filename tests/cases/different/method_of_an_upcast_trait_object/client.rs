use dep::{Base, Special};

pub fn run(x: u32) -> u32 {
    let special: &dyn Special = &dep::Thing(x);
    let base: &dyn Base = special;
    base.value()
}
