fn one(number: u32) -> u32 {
    number + 1
}

fn two(number: u32) -> u32 {
    number * 3
}

pub fn chosen(first: bool) -> fn(u32) -> u32 {
    if first { one } else { two }
}
