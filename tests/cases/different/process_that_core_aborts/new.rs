#![feature(abort_immediate)]

fn check(number: u32) {
    if number == 7 {
        core::process::abort_immediate();
    }
}

fn abort_beyond_seven(number: u32) -> u32 {
    let mut next = 0;
    while next < number {
        check(next);
        next += 1;
    }
    next
}

fn panic_beyond_nine(number: u32) -> u32 {
    let mut next = 0;
    while next < number {
        assert!(next != 9);
        next += 1;
    }
    next
}

pub fn run(one: u32, two: u32) -> u32 {
    let two = panic_beyond_nine(two);
    abort_beyond_seven(one) ^ two
}
