pub fn total(steps: [i8; 3]) -> i32 {
    let mut meter = dep::Meter::default();
    let mut at = 0;
    while at < 3 {
        meter.add(steps[at]);
        at += 1;
    }
    meter.reading()
}
