pub trait Voice {
    fn volume(&self) -> u32;
}

struct Quiet;
struct Loud;

impl Voice for Quiet {
    fn volume(&self) -> u32 {
        1
    }
}

impl Voice for Loud {
    fn volume(&self) -> u32 {
        11
    }
}

pub fn voice(loud: bool) -> Box<dyn Voice> {
    if loud { Box::new(Loud) } else { Box::new(Quiet) }
}
