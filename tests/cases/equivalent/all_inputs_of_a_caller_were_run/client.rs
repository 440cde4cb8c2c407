/// For more inputs than can be run.
fn steps_and_more(start: u32) -> u32 {
    let more = |steps: u32| steps + dep::steps(start);
    more(1)
}

pub fn of_byte(start: u8) -> u32 {
    steps_and_more(start.into())
}

pub fn of_flag(flag: bool) -> u32 {
    steps_and_more(if flag { 97 } else { 27 })
}
