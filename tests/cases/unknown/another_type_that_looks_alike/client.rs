use std::marker::PhantomData;

pub struct Tagged<T>(PhantomData<T>);

pub trait Named {
    const TAG: u8;
    fn name(&self) -> &'static str;
}

impl Named for Tagged<dep::Metres> {
    const TAG: u8 = 1;
    fn name(&self) -> &'static str {
        "tagged metres"
    }
}

impl Named for Tagged<dep::Feet> {
    const TAG: u8 = 2;
    fn name(&self) -> &'static str {
        "tagged feet"
    }
}

impl Named for dep::Metres {
    const TAG: u8 = 3;
    fn name(&self) -> &'static str {
        "metres"
    }
}

impl Named for dep::Feet {
    const TAG: u8 = 4;
    fn name(&self) -> &'static str {
        "feet"
    }
}

pub fn length() -> dep::Length {
    dep::length()
}

pub fn tagged() -> Tagged<dep::Length> {
    Tagged(PhantomData)
}

pub struct Numbered<const NUMBER: usize>;

impl<const NUMBER: usize> Numbered<NUMBER> {
    pub fn number(&self) -> usize {
        NUMBER
    }
}

pub fn numbered() -> Numbered<{ dep::NUMBER }> {
    Numbered
}

pub static LENGTH: dep::Number = dep::ONE;

pub fn both() -> dep::Both {
    dep::both()
}

pub fn count() -> dep::Count {
    3
}
