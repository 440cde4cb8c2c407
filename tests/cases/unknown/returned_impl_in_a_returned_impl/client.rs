use std::fmt::Display;

pub fn run(x: u32) -> impl Iterator<Item = impl Display> {
    [dep::Id(x)].into_iter()
}
