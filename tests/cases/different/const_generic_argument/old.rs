fn times<const N: u32>(x: u32) -> u32 {
    x * N
}

pub fn scaled(x: u32) -> u32 {
    times::<3>(x)
}
