//! What the operators mean, said a second time and in another way: bit by bit, lowest first, as one
//! calculates on paper. Slow, and free of the tricks that the builder relies on.

use crate::solver::{BitCount, BitsOp, CompareOp, OverflowOp};

pub type Bits = Vec<bool>;

pub fn of(value: u128, width: u32) -> Bits {
    (0..width).map(|bit| bit < 128 && value >> bit & 1 == 1).collect()
}

pub fn value(bits: &[bool]) -> u128 {
    bits.iter().rev().fold(0, |value, bit| value << 1 | u128::from(*bit))
}

pub fn extend(bits: &[bool], fill: bool, width: usize) -> Bits {
    let mut bits = bits.to_vec();
    bits.resize(width, fill);
    bits
}

pub fn sign(bits: &[bool]) -> bool {
    *bits.last().unwrap()
}

fn zero(width: usize) -> Bits {
    vec![false; width]
}

fn add(left: &[bool], right: &[bool]) -> Bits {
    let mut carry = false;
    (left.iter().zip(right))
        .map(|(a, b)| {
            let ones = usize::from(*a) + usize::from(*b) + usize::from(carry);
            carry = ones > 1;
            ones % 2 == 1
        })
        .collect()
}

fn negate(bits: &[bool]) -> Bits {
    let flipped: Bits = bits.iter().map(|bit| !bit).collect();
    add(&flipped, &of(1, bits.len() as u32))
}

fn sub(left: &[bool], right: &[bool]) -> Bits {
    add(left, &negate(right))
}

/// One place up or down, filling with `fill`.
fn up(bits: &[bool]) -> Bits {
    let mut bits = bits.to_vec();
    bits.insert(0, false);
    bits.pop();
    bits
}

fn down(bits: &[bool], fill: bool) -> Bits {
    let mut bits = bits.to_vec();
    bits.remove(0);
    bits.push(fill);
    bits
}

fn mul(left: &[bool], right: &[bool]) -> Bits {
    let mut sum = zero(left.len());
    let mut shifted = left.to_vec();
    for bit in right {
        if *bit {
            sum = add(&sum, &shifted);
        }
        shifted = up(&shifted);
    }
    sum
}

fn less(left: &[bool], right: &[bool]) -> bool {
    let difference = left.iter().zip(right).rev().find(|(a, b)| a != b);
    difference.is_some_and(|(_, b)| *b)
}

fn divide(left: &[bool], right: &[bool]) -> (Bits, Bits) {
    let width = left.len();
    if right.iter().all(|bit| !bit) {
        return (vec![true; width], left.to_vec());
    }
    // One bit more, so that the remainder can be doubled.
    let divisor = extend(right, false, width + 1);
    let mut quotient = zero(width);
    let mut remainder = zero(width + 1);
    for bit in (0..width).rev() {
        remainder = up(&remainder);
        remainder[0] = left[bit];
        if !less(&remainder, &divisor) {
            remainder = sub(&remainder, &divisor);
            quotient[bit] = true;
        }
    }
    remainder.pop();
    (quotient, remainder)
}

fn divide_signed(left: &[bool], right: &[bool]) -> (Bits, Bits) {
    let magnitude = |bits: &[bool]| if sign(bits) { negate(bits) } else { bits.to_vec() };
    let (quotient, remainder) = divide(&magnitude(left), &magnitude(right));
    let quotient = if sign(left) != sign(right) { negate(&quotient) } else { quotient };
    let remainder = if sign(left) { negate(&remainder) } else { remainder };
    (quotient, remainder)
}

fn shift(op: BitsOp, left: &[bool], by: u128) -> Bits {
    let mut bits = left.to_vec();
    for _ in 0..by.min(left.len() as u128) {
        bits = match op {
            BitsOp::Shl => up(&bits),
            BitsOp::LShr => down(&bits, false),
            _ => down(&bits, sign(left)),
        };
    }
    bits
}

pub fn binary(op: BitsOp, left: &[bool], right: &[bool]) -> Bits {
    let bitwise =
        |op: fn(bool, bool) -> bool| left.iter().zip(right).map(|(a, b)| op(*a, *b)).collect();
    match op {
        BitsOp::Add => add(left, right),
        BitsOp::Sub => sub(left, right),
        BitsOp::Mul => mul(left, right),
        BitsOp::UDiv => divide(left, right).0,
        BitsOp::URem => divide(left, right).1,
        BitsOp::SDiv => divide_signed(left, right).0,
        BitsOp::SRem => divide_signed(left, right).1,
        BitsOp::And => bitwise(|a, b| a && b),
        BitsOp::Or => bitwise(|a, b| a || b),
        BitsOp::Xor => bitwise(|a, b| a != b),
        BitsOp::Shl | BitsOp::LShr | BitsOp::AShr => shift(op, left, value(right)),
    }
}

pub fn compare(op: CompareOp, left: &[bool], right: &[bool]) -> bool {
    let (mut left, mut right) = (left.to_vec(), right.to_vec());
    if op.is_signed() {
        // With the sign turned, the order of the signed values is that of the unsigned ones.
        *left.last_mut().unwrap() ^= true;
        *right.last_mut().unwrap() ^= true;
    }
    less(&left, &right) || (!op.is_strict() && left == right)
}

pub fn overflows(op: OverflowOp, signed: bool, left: &[bool], right: &[bool]) -> bool {
    let width = left.len();
    let wide = |bits: &[bool]| extend(bits, signed && sign(bits), 2 * width + 2);
    let op = match op {
        OverflowOp::Add => BitsOp::Add,
        OverflowOp::Sub => BitsOp::Sub,
        OverflowOp::Mul => BitsOp::Mul,
    };
    let exact = binary(op, &wide(left), &wide(right));
    wide(&exact[..width]) != exact
}

pub fn count(count: BitCount, bits: &[bool]) -> Bits {
    let result = match count {
        BitCount::Ones => bits.iter().filter(|bit| **bit).count(),
        BitCount::LeadingZeros => bits.iter().rev().take_while(|bit| !**bit).count(),
        BitCount::TrailingZeros => bits.iter().take_while(|bit| !**bit).count(),
    };
    of(result as u128, bits.len() as u32)
}
