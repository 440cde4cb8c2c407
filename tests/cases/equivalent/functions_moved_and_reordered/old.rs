pub fn first(x: u32) -> u32 {
    helper(x) + 1
}

pub fn second(x: u32) -> u32 {
    helper(x) + 2
}

fn helper(x: u32) -> u32 {
    x / 3
}
