//! Runs the generated functions natively: a line of input is a function's number and the leaves of
//! its arguments, a line of output how it ended and the leaves of what it gave.
#![allow(warnings)]

use std::cmp::Ordering;
use std::io::{Read, Write};
use std::num::{FpCategory, Wrapping};
use std::panic::{AssertUnwindSafe, catch_unwind};

use generated::*;

/// A value as a flat list, in the order in which symbolic values are flattened: of an enum the
/// number of the variant, then the fields of all variants, which are zero where they are not there.
trait Flat {
    const LEAVES: usize;

    fn write(&self, into: &mut Vec<u128>);

    fn read(from: &mut dyn Iterator<Item = u128>) -> Self
    where
        Self: Sized;
}

macro_rules! integers {
    ($($number:ty: $unsigned:ty),*) => { $(impl Flat for $number {
        const LEAVES: usize = 1;

        fn write(&self, into: &mut Vec<u128>) {
            into.push(*self as $unsigned as u128);
        }

        fn read(from: &mut dyn Iterator<Item = u128>) -> $number {
            from.next().unwrap() as $number
        }
    })* };
}

integers!(
    u8: u8, u16: u16, u32: u32, u64: u64, u128: u128, usize: usize,
    i8: u8, i16: u16, i32: u32, i64: u64, i128: u128, isize: usize
);

macro_rules! floats {
    ($($number:ident $bits:ident $nan:literal),*) => { $(impl Flat for $number {
        const LEAVES: usize = 1;

        /// All NaNs are one.
        fn write(&self, into: &mut Vec<u128>) {
            into.push(if self.is_nan() { $nan } else { self.to_bits().into() });
        }

        fn read(from: &mut dyn Iterator<Item = u128>) -> $number {
            $number::from_bits(from.next().unwrap() as $bits)
        }
    })* };
}

floats!(f32 u32 0x7fc0_0000, f64 u64 0x7ff8_0000_0000_0000);

impl Flat for bool {
    const LEAVES: usize = 1;

    fn write(&self, into: &mut Vec<u128>) {
        into.push((*self).into());
    }

    fn read(from: &mut dyn Iterator<Item = u128>) -> bool {
        from.next().unwrap() != 0
    }
}

impl Flat for char {
    const LEAVES: usize = 1;

    fn write(&self, into: &mut Vec<u128>) {
        into.push(u32::from(*self).into());
    }

    fn read(from: &mut dyn Iterator<Item = u128>) -> char {
        char::from_u32(from.next().unwrap() as u32).unwrap()
    }
}

impl<T: Flat> Flat for Wrapping<T> {
    const LEAVES: usize = T::LEAVES;

    fn write(&self, into: &mut Vec<u128>) {
        self.0.write(into);
    }

    fn read(from: &mut dyn Iterator<Item = u128>) -> Wrapping<T> {
        Wrapping(T::read(from))
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    const LEAVES: usize = N * T::LEAVES;

    fn write(&self, into: &mut Vec<u128>) {
        self.iter().for_each(|it| it.write(into));
    }

    fn read(from: &mut dyn Iterator<Item = u128>) -> [T; N] {
        std::array::from_fn(|_| T::read(from))
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(impl<$($name: Flat),*> Flat for ($($name,)*) {
        const LEAVES: usize = 0 $(+ $name::LEAVES)*;

        fn write(&self, into: &mut Vec<u128>) {
            $(self.$index.write(into);)*
        }

        fn read(from: &mut dyn Iterator<Item = u128>) -> ($($name,)*) {
            ($($name::read(from),)*)
        }
    })* };
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13)
}

macro_rules! structs {
    ($($name:ident { $($field:ident: $ty:ty),* })*) => { $(impl Flat for $name {
        const LEAVES: usize = 0 $(+ <$ty>::LEAVES)*;

        fn write(&self, into: &mut Vec<u128>) {
            $(self.$field.write(into);)*
        }

        fn read(from: &mut dyn Iterator<Item = u128>) -> $name {
            $name { $($field: <$ty>::read(from)),* }
        }
    })* };
}

structs! {
    Pair { x: i32, y: u8 }
    Duration16 { units: u16 }
}

/// Variants in order, each with its fields.
macro_rules! enums {
    ($([$($generics:tt)*] $name:ty { $($of:ident::$variant:ident => ($($field:ident : $at:tt : $ty:ty),*)),* })*) => {
        $(impl<$($generics)*> Flat for $name {
            const LEAVES: usize = 1 $($(+ <$ty>::LEAVES)*)*;

            fn write(&self, into: &mut Vec<u128>) {
                let mut number = 0;
                let start = into.len();
                into.push(0);
                $(
                    if let $of::$variant { $($at: $field),* } = self {
                        into[start] = number;
                        $($field.write(into);)*
                    } else {
                        into.extend(std::iter::repeat_n(0, 0 $(+ <$ty>::LEAVES)*));
                    }
                    number += 1;
                )*
            }

            fn read(from: &mut dyn Iterator<Item = u128>) -> $name {
                let tag = from.next().unwrap();
                let mut number = 0;
                let mut found = None;
                $(
                    $(let $field = <$ty>::read(from);)*
                    if number == tag {
                        found = Some($of::$variant { $($at: $field),* });
                    }
                    number += 1;
                )*
                found.unwrap()
            }
        })*
    };
}

enums! {
    [T: Flat] Option<T> { Option::None => (), Option::Some => (a: 0: T) }
    [T: Flat, E: Flat] Result<T, E> { Result::Ok => (a: 0: T), Result::Err => (a: 0: E) }
    [] Ordering { Ordering::Less => (), Ordering::Equal => (), Ordering::Greater => () }
    [] FpCategory {
        FpCategory::Nan => (), FpCategory::Infinite => (), FpCategory::Zero => (),
        FpCategory::Subnormal => (), FpCategory::Normal => ()
    }
    [] Color { Color::Red => (), Color::Green => (), Color::Blue => () }
    [] Sign { Sign::Plus => (), Sign::Minus => (), Sign::Zero => () }
    [] Shape {
        Shape::Dot => (), Shape::Circle => (a: 0: u8), Shape::Rect => (w: w: i16, h: h: i16),
        Shape::Named => (a: 0: char, b: 1: bool)
    }
    [] Nested {
        Nested::A => (a: 0: Option<bool>), Nested::B => (a: 0: Shape), Nested::C => (a: 0: [u8; 3])
    }
    [] Problem { Problem::TooSmall => (a: 0: u8), Problem::Negative => () }
    [] Only { Only::One => (a: 0: u16, b: 1: bool) }
    [] Tree {
        Tree::Leaf => (a: 0: u8), Tree::Two => (a: 0: (u8, u8), b: 1: bool),
        Tree::Three => (a: 0: [u8; 3])
    }
}

/// How a call ended: whether it returned, and the result.
type Ended = (bool, Vec<u128>);

fn ended<R: Flat>(call: impl FnOnce() -> R) -> Ended {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => {
            let mut leaves = Vec::new();
            result.write(&mut leaves);
            (true, leaves)
        }
        Err(_) => (false, Vec::new()),
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut output = String::new();
    for line in input.lines() {
        let mut numbers = line.split(' ').map(|it| it.parse::<u128>().unwrap());
        let function = numbers.next().unwrap() as usize;
        let (returned, leaves) = FUNCTIONS[function](&mut numbers);
        output.push(if returned { 'r' } else { 'p' });
        for leaf in leaves {
            output.push_str(&format!(" {leaf}"));
        }
        output.push('\n');
    }
    std::io::stdout().write_all(output.as_bytes()).unwrap();
}
