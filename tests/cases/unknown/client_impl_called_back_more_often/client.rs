struct Counter(u32);

impl dep::Visit for Counter {
    fn visit(&mut self, value: u32) {
        self.0 += value;
    }
}

pub fn run(values: &[u32]) -> u32 {
    let mut counter = Counter(0);
    dep::walk(values, &mut counter);
    counter.0
}
