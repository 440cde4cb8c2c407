pub trait Buffer {
    const LENGTH: usize = dep::LENGTH * 2;
}
