use std::io::BufRead;

pub fn source() -> dep::Source {
    dep::Source
}

pub fn first_line<R: BufRead>(mut from: R) -> String {
    let mut line = String::new();
    let _ = from.read_line(&mut line);
    line
}
