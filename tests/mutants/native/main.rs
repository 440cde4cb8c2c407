//! Runs the clients of a batch of mutants with both versions of the library, and compares.
//!
//! `native all CASE INPUT LIMIT` goes on from that input of that case, and prints a line a case: the
//! first input on which the two versions differ, or how many agree. An input that takes longer than
//! so many milliseconds ends the program with a line that says so. `native case …` announces every
//! input of one case, to find out which one brings the program down, and `native input …` runs
//! nothing else. Inputs depend on nothing but the seed and their number.

use std::fmt::Debug;
use std::io::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::exit;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const RANDOM_INPUTS: u64 = 3000;
/// After that much time no further input of a case is begun.
const ENOUGH: Duration = Duration::from_millis(300);

struct Case {
    name: &'static str,
    arity: u32,
    constants: &'static [i128],
    run: fn(&mut Source) -> Run,
}

/// The arguments, and what became of them with the old and with the new version.
struct Run {
    input: String,
    outcomes: [String; 2],
}

macro_rules! case {
    ($module:ident $function:ident [$($constant:expr),*] $($name:ident: $type:ty = $passed:expr),*) => {
        Case {
            name: concat!(stringify!($module), "::", stringify!($function)),
            arity: <[&str]>::len(&[$(stringify!($name)),*]) as u32,
            constants: &[$($constant),*],
            run: |_source| {
                $(let $name: $type = Sample::sample(_source);)*
                Run {
                    input: format!("{:?}", ($(&$name,)*)),
                    outcomes: [
                        outcome(0, || {
                            $(let mut $name = $name.clone();)*
                            let result = format!("{:?}", with_old::$module::$function($($passed),*));
                            result + &format!(" {:?}", ($(&$name,)*))
                        }),
                        outcome(1, || {
                            $(let mut $name = $name.clone();)*
                            let result = format!("{:?}", with_new::$module::$function($($passed),*));
                            result + &format!(" {:?}", ($(&$name,)*))
                        }),
                    ],
                }
            },
        }
    };
}

include!("cases.rs");

fn outcome(side: u8, run: impl FnOnce() -> String) -> String {
    SIDE.store(side, Relaxed);
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| "panic".to_owned())
}

/// What is being run: a case, an input and a version.
static CASE: AtomicU64 = AtomicU64::new(0);
static INPUT: AtomicU64 = AtomicU64::new(0);
static SIDE: AtomicU8 = AtomicU8::new(0);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args().collect();
    let number = |index: usize| arguments[index].parse::<u64>().expect("a number");
    let (case, input, limit) = (number(2) as usize, number(3), number(4));
    let mode = arguments[1].clone();
    std::thread::spawn(move || watch(Duration::from_millis(limit)));
    // Recursion can go deep.
    let worker = std::thread::Builder::new().stack_size(1 << 26).spawn(move || {
        let cases = cases();
        let last = if mode == "all" { cases.len() } else { case + 1 };
        for index in case..last {
            CASE.store(index as u64, Relaxed);
            let all = 0..count(&cases[index]);
            let inputs = match &*mode {
                _ if index > case => all,
                "input" => input..input + 1,
                _ => input..all.end,
            };
            try_case(&cases[index], inputs, mode == "case");
        }
    });
    worker.expect("a thread can be started").join().expect("panics are caught");
}

/// Tells what this program says from what the cases print.
const MARK: char = '\u{1}';

fn count(case: &Case) -> u64 {
    if case.arity == 0 { 3 } else { grid(case.arity) + RANDOM_INPUTS }
}

fn try_case(case: &Case, inputs: Range<u64>, is_announced: bool) {
    let started = Instant::now();
    let mut agreed = inputs.start;
    for number in inputs {
        INPUT.store(number, Relaxed);
        if is_announced {
            println!("{MARK}at\t{}\t{number}", CASE.load(Relaxed));
        }
        let Run { input, outcomes: [old, new] } = (case.run)(&mut Source::new(number, case));
        if old != new {
            return println!("{MARK}different\t{}\t{input:?}\t{old:?}\t{new:?}", case.name);
        }
        agreed += 1;
        if started.elapsed() > ENOUGH {
            break;
        }
    }
    println!("{MARK}agree\t{}\t{agreed}", case.name);
}

/// Ends the program when an input takes too long: by the time that was spent on it, since a busy
/// machine may keep anything waiting.
fn watch(limit: Duration) {
    let current = || (CASE.load(Relaxed), INPUT.load(Relaxed));
    let (mut last, mut since) = (current(), (spent(), Instant::now()));
    loop {
        std::thread::sleep(limit / 8);
        if current() != last {
            (last, since) = (current(), (spent(), Instant::now()));
        } else if spent() - since.0 > limit || since.1.elapsed() > limit * 100 {
            // Held to the end, so that this is the last line.
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{MARK}slow\t{}\t{}\t{}", last.0, last.1, SIDE.load(Relaxed));
            exit(0);
        }
    }
}

/// The processor time of this program, in steps of 10 ms.
fn spent() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has it");
    let fields: Vec<&str> = stat[stat.rfind(')').unwrap()..].split(' ').collect();
    let ticks = |index: usize| fields[index].parse::<u64>().unwrap();
    Duration::from_millis(10 * (ticks(12) + ticks(13)))
}

/// How far from zero all combinations of integers are tried.
fn small(arity: u32) -> u64 {
    match arity {
        1 => 150,
        2 => 20,
        _ => 0,
    }
}

fn grid(arity: u32) -> u64 {
    if small(arity) == 0 { 0 } else { (2 * small(arity) + 1).pow(arity) }
}

/// Where the arguments of one input come from.
struct Source<'a> {
    /// What is left of the number of the input in the grid, or None beyond it.
    cell: Option<u64>,
    arity: u32,
    state: u64,
    /// Half of the random inputs have small numbers only.
    is_small: bool,
    constants: &'a [i128],
}

impl Source<'_> {
    fn new(number: u64, case: &Case) -> Source<'_> {
        Source {
            cell: (number < grid(case.arity)).then_some(number),
            arity: case.arity,
            state: number ^ SEED << 32,
            is_small: number % 2 == 0,
            constants: case.constants,
        }
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.random() % end as u64) as usize
    }

    fn integer(&mut self) -> i128 {
        if let Some(cell) = &mut self.cell {
            let width = 2 * small(self.arity) + 1;
            let digit = *cell % width;
            *cell /= width;
            return digit as i128 - small(self.arity) as i128;
        }
        match self.below(if self.is_small { 4 } else { 10 }) {
            0 => self.below(101) as i128 - 50,
            1 => self.below(9) as i128,
            2 | 3 => {
                let constant = self.constants[self.below(self.constants.len())];
                let sign = if self.below(4) == 0 { -1 } else { 1 };
                sign * constant + self.below(3) as i128 - 1
            }
            // Near the ends of types.
            4 | 5 => {
                let bits = [7, 8, 15, 16, 30, 31, 32, 63, 64, 126][self.below(10)];
                let end = if self.below(2) == 0 { 1 << bits } else { -1 << bits };
                end + self.below(5) as i128 - 2
            }
            6 => 1 << self.below(64),
            7 => (self.random() >> self.below(64)) as i128,
            8 => -((self.random() >> self.below(64)) as i128),
            _ => self.random() as i64 as i128 * self.random() as i64 as i128,
        }
    }
}

trait Sample: Debug + Clone {
    fn sample(source: &mut Source) -> Self;
}

macro_rules! sample_integers {
    ($($type:ty)*) => {$(
        impl Sample for $type {
            fn sample(source: &mut Source) -> $type {
                source.integer() as $type
            }
        }
    )*};
}

sample_integers!(i8 i16 i32 i64 i128 isize u16 u32 u64 u128 usize);

macro_rules! sample_floats {
    ($($type:ident)*) => {$(
        impl Sample for $type {
            fn sample(source: &mut Source) -> $type {
                match source.below(8) {
                    0 => [0.0, -0.0, $type::NAN, $type::INFINITY, -$type::INFINITY, $type::MAX,
                        $type::MIN_POSITIVE, 0.5, 0.1, $type::EPSILON][source.below(10)],
                    1 => source.integer() as $type + 0.5,
                    2 => source.integer() as $type / 7.0,
                    3 => $type::from_bits(source.random() as _),
                    _ => source.integer() as $type,
                }
            }
        }
    )*};
}

sample_floats!(f32 f64);

impl Sample for u8 {
    /// Often one of a few bytes, so that strings meet.
    fn sample(source: &mut Source) -> u8 {
        match source.below(8) {
            0 => source.random() as u8,
            1 => source.integer() as u8,
            2 | 3 => b"\0\x01 aAz09_\xff"[source.below(10)],
            _ => b"ab"[source.below(2)],
        }
    }
}

impl Sample for bool {
    fn sample(source: &mut Source) -> bool {
        source.integer() & 1 == 0
    }
}

impl Sample for char {
    fn sample(source: &mut Source) -> char {
        match source.below(4) {
            0 => char::from_u32(source.random() as u32 % 0x11_0000).unwrap_or('\u{d7ff}'),
            1 => ['\0', '\u{7f}', '\u{80}', 'ß', '\u{ffff}', '\u{10ffff}'][source.below(6)],
            _ => char::from(TEXT[source.below(TEXT.len())]),
        }
    }
}

const TEXT: &[u8] = b"0123456789-+*/()=[]{},.;: \t\n#abtruefalsxyzAB_~!\"'\\";

impl Sample for String {
    fn sample(source: &mut Source) -> String {
        let count = source.below(14);
        (0..count)
            .map(|_| {
                if source.below(20) == 0 {
                    char::sample(source)
                } else {
                    char::from(TEXT[source.below(TEXT.len())])
                }
            })
            .collect()
    }
}

impl<T: Sample> Sample for Option<T> {
    fn sample(source: &mut Source) -> Option<T> {
        (source.below(3) > 0).then(|| T::sample(source))
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample(source: &mut Source) -> Vec<T> {
        let count = source.below(10);
        (0..count).map(|_| T::sample(source)).collect()
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(source: &mut Source) -> [T; N] {
        std::array::from_fn(|_| T::sample(source))
    }
}

macro_rules! sample_tuples {
    ($($($type:ident)*;)*) => {$(
        impl<$($type: Sample),*> Sample for ($($type,)*) {
            fn sample(source: &mut Source) -> ($($type,)*) {
                ($($type::sample(source),)*)
            }
        }
    )*};
}

sample_tuples!(A; A B; A B C; A B C D;);
