//! What the formatting of a message does is behaviour, though its text is not.

use std::fmt::{Arguments, Display};

use dep::E;

pub fn shown(a: u8) {
    panic!("{}", E(a))
}

pub fn shown_with_more(a: u8) {
    panic!("{a} {}", &E(a))
}

pub fn shown_by_another(a: u8) {
    fail(&E(a))
}

fn fail(value: &dyn Display) -> ! {
    panic!("{value}")
}

pub fn passed_on(a: u8) {
    fail_with(format_args!("it is {}", E(a)))
}

fn fail_with(message: Arguments) -> ! {
    panic!("{message}")
}

pub fn passed_on_as_a_value(a: u8) {
    fail_showing(format_args!("it is {}", E(a)))
}

fn fail_showing(message: Arguments) -> ! {
    panic!("{}", message)
}

pub fn unwrapped(a: Result<u8, E>) -> u8 {
    a.unwrap()
}

pub fn expected(a: u8) -> u8 {
    if a > 3 { Err(Wrapped { _e: E(a) }) } else { Ok(a) }.expect("small")
}

#[derive(Debug)]
struct Wrapped {
    _e: E,
}

pub fn compared(a: u8) {
    assert_eq!(E(a), E(3))
}
