extern "C" fn check(number: u32) {
    assert!(number != 7);
}

fn check_all(number: u32) {
    let mut next = 0;
    while next < number {
        check(next);
        next += 1;
    }
}

pub fn run(number: u32) -> u32 {
    check_all(number);
    panic!()
}
