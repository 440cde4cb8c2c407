fn one(number: u32) -> u32 {
    number + 1
}

fn two(number: u32) -> u32 {
    let mut product = number;
    for _ in 0..2 {
        product += number;
    }
    product
}

pub fn chosen(first: bool) -> fn(u32) -> u32 {
    if first { one } else { two }
}
