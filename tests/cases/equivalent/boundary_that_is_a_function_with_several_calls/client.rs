pub fn distance(one: i16, two: i16) -> i32 {
    let one = dep::centred(one);
    let two = dep::centred(two);
    one - two
}

pub fn is_even(value: u16) -> bool {
    low_bit(value) == 0
}

fn low_bit(value: u16) -> u16 {
    dep::bits(value)
        & 1
}

pub fn same(value: u32) -> u32 {
    dep::half(value)
}
