//! The part of a generated program that is always the same: it takes calls by number and words, runs
//! them one after the other, and writes a line for each into a file of its own. What the client
//! prints goes where it always goes.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, BufRead, BufReader, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

pub type Call = fn(&mut Words, &mut Out);

static LINES: Mutex<Option<File>> = Mutex::new(None);

/// `PROGRAM calls INPUT OUTPUT`: a line of the input is the number of a call and its words.
/// `PROGRAM all INPUT OUTPUT`: the input is one line, see `all`.
pub fn main(calls: &[Call]) {
    let arguments: Vec<String> = std::env::args().collect();
    let input = BufReader::new(File::open(&arguments[2]).expect("the input can be read"));
    *LINES.lock().unwrap() = Some(File::create(&arguments[3]).expect("the output can be written"));
    panic::set_hook(Box::new(|_| {
        if cfg!(panic = "abort") {
            line("panicked");
        }
    }));
    let input = input.lines().map(|line| {
        let line = line.expect("the input is text");
        line.split(' ').map(|word| word.parse().expect("a number")).collect::<Vec<u128>>()
    });
    for numbers in input {
        match arguments[1].as_str() {
            "calls" => line(&one(calls, &numbers)),
            _ => all(calls, &numbers),
        }
    }
}

fn one(calls: &[Call], numbers: &[u128]) -> String {
    let mut out = Out::default();
    calls[numbers[0] as usize](&mut Words { words: numbers[1..].to_vec(), at: 0 }, &mut out);
    out.finished
}

/// Runs a call on all inputs from one number to another and writes a hash of what they did for each
/// `chunk` of them, and whether a NaN was among it. The input is the call, the first and the last number, the chunk, and then for
/// each word its first value and how many it has.
fn all(calls: &[Call], numbers: &[u128]) {
    let (call, from, to, chunk) = (calls[numbers[0] as usize], numbers[1], numbers[2], numbers[3]);
    let ranges: Vec<(u128, u128)> = numbers[4..].chunks(2).map(|it| (it[0], it[1])).collect();
    let mut hasher = DefaultHasher::new();
    let mut nan = "";
    let mut words = Words { words: vec![0; ranges.len()], at: 0 };
    for number in from..to {
        let mut rest = number;
        for (word, (first, count)) in words.words.iter_mut().zip(&ranges) {
            *word = first.wrapping_add(rest % count);
            rest /= count;
        }
        words.at = 0;
        let mut out = Out::default();
        call(&mut words, &mut out);
        hasher.write(out.finished.as_bytes());
        if out.finished.contains("NaN") {
            nan = " NaN";
        }
        if (number + 1) % chunk == 0 || number + 1 == to {
            line(&format!("{}{}", hasher.finish(), nan));
            hasher = DefaultHasher::new();
            nan = "";
        }
    }
}

/// What came of a call, and how much the client has printed by then.
fn line(text: &str) {
    let _ = io::stdout().flush();
    let printed = |number| fs::metadata(format!("/proc/self/fd/{number}")).map_or(0, |it| it.len());
    let text = text.replace('\n', "\\n").replace('\t', "\\t");
    let line = format!("{text}\t{}\t{}\n", printed(1), printed(2));
    if let Ok(mut file) = LINES.lock() {
        if let Some(file) = file.as_mut() {
            let _ = file.write_all(line.as_bytes());
        }
    }
}

/// The numbers that the arguments of a call are made from.
pub struct Words {
    words: Vec<u128>,
    at: usize,
}

impl Words {
    pub fn next(&mut self) -> u128 {
        self.at += 1;
        self.words[self.at - 1]
    }

    pub fn char(&mut self) -> char {
        let number = self.next() as u32;
        let number = if number < 0xd800 { number } else { number + 0x800 };
        std::char::from_u32(number).expect("a char")
    }

    pub fn text(&mut self) -> String {
        let bytes = (0..self.next()).map(|_| self.next() as u8).collect();
        String::from_utf8(bytes).expect("text")
    }

    pub fn wrong<T>(&self) -> T {
        panic!("there is no such variant")
    }
}

/// Where values are printed to.
#[derive(Default)]
pub struct Out {
    text: String,
    finished: String,
}

impl Out {
    /// Runs the call and what prints its result.
    pub fn run(&mut self, call: impl FnOnce(&mut Out)) {
        let ended = panic::catch_unwind(AssertUnwindSafe(|| call(self)));
        match ended {
            Ok(()) => self.finished = format!("returned {}", self.text),
            Err(payload) => {
                self.finished = "panicked".to_owned();
                // Dropping it can panic again.
                std::mem::forget(payload);
            }
        }
        self.text.clear();
    }

    /// What a constant or static is.
    pub fn value(&mut self, show: impl FnOnce(&mut Out)) {
        show(self);
        self.finished = format!("is {}", self.text);
        self.text.clear();
    }

    /// What a `&mut` argument is in the end.
    pub fn argument(&mut self, number: u32, show: impl FnOnce(&mut Out)) {
        show(self);
        let text = std::mem::take(&mut self.text);
        let _ = write!(self.finished, ", argument {number} is then {text}");
    }

    pub fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Takes back the comma after the last part.
    pub fn close(&mut self, text: &str) {
        if self.text.ends_with(", ") {
            self.text.truncate(self.text.len() - 2);
        }
        self.text.push_str(text);
    }

    pub fn plain<T: std::fmt::Debug + ?Sized>(&mut self, value: &T) {
        let _ = write!(self.text, "{:?}", value);
    }

    /// All NaNs are shown alike: which bits arithmetic gives to one is no difference.
    pub fn float<T: std::fmt::Debug + PartialEq>(&mut self, value: &T) {
        match value == value {
            true => self.plain(value),
            false => self.text("NaN"),
        }
    }
}

/// Prints by `Debug` where there is one: that impl is found one reference earlier.
pub struct Probe<'a, T: ?Sized>(pub &'a T);

pub trait ByDebug {
    fn show(&self, out: &mut Out);
}

impl<'a, T: std::fmt::Debug + ?Sized> ByDebug for Probe<'a, T> {
    fn show(&self, out: &mut Out) {
        out.plain(self.0);
    }
}

pub trait ByNothing {
    fn show(&self, out: &mut Out);
}

impl<'a, 'b, T: ?Sized> ByNothing for &'b Probe<'a, T> {
    fn show(&self, out: &mut Out) {
        out.text("_");
    }
}

/// Prints by its parts what is made of the types below alone: none of it can be other code with the
/// other version.
pub struct Value<'a, T: ?Sized>(pub &'a T);

pub trait ByParts {
    fn show(&self, out: &mut Out);
}

impl<'a, T: Plain + ?Sized> ByParts for Value<'a, T> {
    fn show(&self, out: &mut Out) {
        self.0.show_parts(out);
    }
}

impl<'a, 'b, T: ?Sized> ByNothing for &'b Value<'a, T> {
    fn show(&self, out: &mut Out) {
        out.text("_");
    }
}

pub trait Plain {
    fn show_parts(&self, out: &mut Out);
}

macro_rules! plain {
    ($($ty:ty)*) => { $(
        impl Plain for $ty {
            fn show_parts(&self, out: &mut Out) {
                out.plain(self);
            }
        }
    )* };
}

plain!(() bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Plain for f32 {
    fn show_parts(&self, out: &mut Out) {
        out.float(self);
    }
}

impl Plain for f64 {
    fn show_parts(&self, out: &mut Out) {
        out.float(self);
    }
}

impl<'a, T: Plain + ?Sized> Plain for &'a T {
    fn show_parts(&self, out: &mut Out) {
        (**self).show_parts(out);
    }
}

impl<T: Plain> Plain for [T] {
    fn show_parts(&self, out: &mut Out) {
        out.text("[");
        for part in self {
            part.show_parts(out);
            out.text(", ");
        }
        out.close("]");
    }
}

impl<T: Plain, const LENGTH: usize> Plain for [T; LENGTH] {
    fn show_parts(&self, out: &mut Out) {
        self[..].show_parts(out);
    }
}

impl<T: Plain> Plain for Option<T> {
    fn show_parts(&self, out: &mut Out) {
        match self {
            None => out.text("None"),
            Some(content) => {
                out.text("Some(");
                content.show_parts(out);
                out.text(")");
            }
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $number:tt)*))*) => { $(
        impl<$($name: Plain),*> Plain for ($($name,)*) {
            fn show_parts(&self, out: &mut Out) {
                out.text("(");
                $(
                    self.$number.show_parts(out);
                    out.text(", ");
                )*
                out.close(")");
            }
        }
    )* };
}

tuples!((A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4));
