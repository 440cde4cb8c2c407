//! What the generated functions use, which follow it.
#![allow(warnings)]
#![feature(float_minimum_maximum)]
#![allow(arithmetic_overflow, unconditional_panic, overflowing_literals, unconditional_recursion)]

use std::cmp::Ordering;
use std::num::NonZeroU8;

pub type NonZeroU8Pair = (u8, u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    pub x: i32,
    pub y: u8,
}

#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Color {
    Red = 3,
    Green = 7,
    Blue = 250,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    Plus = 1,
    Minus = -1,
    Zero = 0,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Dot,
    Circle(u8),
    Rect { w: i16, h: i16 },
    Named(char, bool),
}

impl Shape {
    pub fn sides(self) -> u8 {
        match self {
            Shape::Dot => 0,
            Shape::Circle(_) => 1,
            Shape::Rect { .. } => 4,
            Shape::Named(c, _) => c as u8,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nested {
    A(Option<bool>),
    B(Shape),
    C([u8; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    One(u16, bool),
}

#[derive(Clone, Copy, Debug)]
pub enum Tree {
    Leaf(u8),
    Two((u8, u8), bool),
    Three([u8; 3]),
}

impl Tree {
    fn sum(&self) -> u32 {
        match self {
            Tree::Leaf(x) => (*x).into(),
            Tree::Two((x, y), true) => u32::from(*x) + u32::from(*y),
            Tree::Two((x, y), false) => u32::from(x - y),
            Tree::Three(all) => all.iter().map(|x| Tree::Leaf(*x).sum()).sum(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duration16 {
    pub units: u16,
}

impl Duration16 {
    fn from_units(count: u8, each: u16) -> Duration16 {
        Duration16 { units: u16::from(count) * each }
    }
}

impl std::ops::Add for Duration16 {
    type Output = Duration16;

    fn add(self, other: Duration16) -> Duration16 {
        Duration16 { units: self.units.checked_add(other.units).expect("short enough") }
    }
}

#[derive(Clone, Copy)]
struct Point<N> {
    x: N,
    y: N,
}

impl<N: std::ops::Sub<Output = N>> std::ops::Sub for Point<N> {
    type Output = Point<N>;

    fn sub(self, other: Point<N>) -> Point<N> {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

impl<N: std::ops::Mul<Output = N> + std::ops::Add<Output = N>> Point<N> {
    fn dot(self, other: Point<N>) -> N {
        self.x * other.x + self.y * other.y
    }
}

fn generic_larger<N: PartialOrd + Copy>(a: N, b: N) -> N {
    if a > b { a } else { b }
}

pub trait Measure: Copy {
    fn measure(&self) -> Self;

    fn twice(self) -> Self {
        self.measure().measure()
    }
}

macro_rules! measure {
    ($($number:ty),*) => { $(impl Measure for $number {
        fn measure(&self) -> $number {
            (*self >> 1) + (*self & 1)
        }
    })* };
}

measure!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

fn recursive_factorial(n: u64) -> u64 {
    if n == 0 { 1 } else { n * recursive_factorial(n - 1) }
}

fn recursive_fibonacci(n: u32) -> u32 {
    match n {
        0 | 1 => n,
        _ => recursive_fibonacci(n - 1) + recursive_fibonacci(n - 2),
    }
}

fn ackermann(n: u32, m: u32) -> u32 {
    match (n, m) {
        (0, m) => m + 1,
        (n, 0) => ackermann(n - 1, 1),
        (n, m) => ackermann(n - 1, ackermann(n, m - 1)),
    }
}

fn is_even(n: u32) -> bool {
    n == 0 || is_odd(n - 1)
}

fn is_odd(n: u32) -> bool {
    n != 0 && is_even(n - 1)
}

fn apply<A, B>(f: impl Fn(A) -> B, a: A) -> B {
    f(a)
}

fn call_once<R>(f: impl FnOnce() -> R) -> R {
    f()
}

fn repeat(n: u8, f: &mut impl FnMut()) {
    for _ in 0..n {
        f();
    }
}

fn subtract(a: i64, b: i64) -> i64 {
    a - b
}

fn apply_pointer(f: fn(i64, i64) -> i64, a: i64, b: i64) -> i64 {
    f(b, a)
}

trait Area {
    fn area(&self) -> u32;

    fn doubled(&self) -> u32 {
        self.area() * 2
    }
}

struct Square(u8);

struct Strip {
    w: u8,
    h: u8,
}

impl Area for Square {
    fn area(&self) -> u32 {
        u32::from(self.0) * u32::from(self.0)
    }
}

impl Area for Strip {
    fn area(&self) -> u32 {
        u32::from(self.w * self.h)
    }
}

fn total_area<A: Area, B: Area>(a: &A, b: &B) -> u32 {
    a.area() + b.area()
}

fn sum_of<const N: usize>(items: [u8; N]) -> u32 {
    let mut sum = N as u32;
    for item in items {
        sum += u32::from(item);
    }
    sum
}

struct Ring<const N: usize> {
    items: [u8; N],
    at: usize,
}

impl<const N: usize> Ring<N> {
    fn advance(&mut self, by: usize) -> u8 {
        self.at = (self.at + by) % N;
        self.items[self.at]
    }
}

struct Bits<const SHIFT: u32>;

impl<const SHIFT: u32> Bits<SHIFT> {
    const MASK: u8 = (1 << SHIFT) - 1;

    fn pack(high: u8, low: u8) -> u8 {
        high << SHIFT | low & Self::MASK
    }
}

fn crc8(bytes: [u8; 3]) -> u32 {
    let mut crc = 0u8;
    for byte in bytes {
        crc ^= byte;
        for _ in 0..8 {
            crc = if crc & 0x80 != 0 { crc << 1 ^ 0x1d } else { crc << 1 };
        }
    }
    crc.into()
}

fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn parse_digits(text: &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for byte in text {
        let digit = (*byte as char).to_digit(10)?;
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    Some(value)
}

fn varint(mut value: u32) -> [u8; 5] {
    let mut out = [0; 5];
    let mut at = 0;
    while value >= 0x80 {
        out[at] = value as u8 | 0x80;
        value >>= 7;
        at += 1;
    }
    out[at] = value as u8;
    out
}

fn days_in_month(year: u16, month: u8) -> Option<u8> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    })
}

fn xorshift(mut x: u32) -> u32 {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    x
}

fn splitmix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

struct Guard(u8);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0 = 0;
    }
}

struct Restore<'a>(&'a mut u8);

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        *self.0 = self.0.wrapping_add(1);
    }
}

fn pick_mut(all: &mut [u8; 3], at: usize) -> &mut u8 {
    &mut all[at]
}

fn decode_utf8(bytes: &[u8; 4]) -> Result<char, u8> {
    let (len, first) = match bytes[0] {
        b @ 0..=0x7f => (1, u32::from(b)),
        b @ 0xc0..=0xdf => (2, u32::from(b & 0x1f)),
        b @ 0xe0..=0xef => (3, u32::from(b & 0x0f)),
        b @ 0xf0..=0xf7 => (4, u32::from(b & 0x07)),
        b => return Err(b),
    };
    let mut value = first;
    for byte in &bytes[1..len] {
        if byte & 0xc0 != 0x80 {
            return Err(*byte);
        }
        value = value << 6 | u32::from(byte & 0x3f);
    }
    char::from_u32(value).ok_or(0)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    TooSmall(u8),
    Negative,
}

struct Below(u8);

impl From<Below> for Problem {
    fn from(below: Below) -> Problem {
        Problem::TooSmall(below.0)
    }
}

fn checked(a: u8, least: u8) -> Result<u8, Below> {
    if a < least { Err(Below(least - a)) } else { Ok(a) }
}

struct Countdown {
    left: u8,
    step: u8,
}

impl Iterator for Countdown {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let left = self.left;
        self.left = left.checked_sub(1 + self.step)?;
        Some(left)
    }
}

#[derive(Clone, Copy)]
struct Vector([i16; 3]);

impl std::ops::AddAssign for Vector {
    fn add_assign(&mut self, other: Vector) {
        for i in 0..3 {
            self.0[i] += other.0[i];
        }
    }
}

impl std::ops::Neg for Vector {
    type Output = Vector;

    fn neg(self) -> Vector {
        Vector([-self.0[0], -self.0[1], -self.0[2]])
    }
}

impl std::ops::Index<usize> for Vector {
    type Output = i16;

    fn index(&self, index: usize) -> &i16 {
        &self.0[index]
    }
}

impl std::ops::IndexMut<usize> for Vector {
    fn index_mut(&mut self, index: usize) -> &mut i16 {
        &mut self.0[index]
    }
}

fn adder(a: i32) -> impl Fn(i32) -> i32 {
    move |x| x.wrapping_add(a)
}

#[derive(Default)]
struct Settings {
    level: u8,
    on: bool,
    name: Option<u8>,
    pair: [u8; 2],
}

trait Unit {
    const SCALE: u32;
}

struct Metric;

struct Imperial;

impl Unit for Metric {
    const SCALE: u32 = 1000;
}

impl Unit for Imperial {
    const SCALE: u32 = 1760 * 3;
}

fn convert<U: Unit>(count: u8) -> u32 {
    u32::from(count) * U::SCALE
}

#[derive(Clone, Copy)]
enum Light {
    Red { left: u8 },
    Green,
    Broken,
}

impl Light {
    fn next(self, go: bool) -> Light {
        match (self, go) {
            (Light::Red { left: 0 }, _) => Light::Green,
            (Light::Red { left }, false) => Light::Red { left: left - 1 },
            (Light::Red { .. }, true) => Light::Broken,
            (Light::Green, true) => Light::Green,
            (Light::Green, false) => Light::Red { left: 1 },
            (Light::Broken, _) => Light::Broken,
        }
    }
}

fn bump(a: &mut u32, by: u32) {
    *a = a.rotate_left(by & 7).wrapping_add(by);
}
