//! Constants of floats: each in its own precision, and one NaN.

use crate::solver::{FloatCompare, FloatOp, Rounding, Term, Terms};

const NAN32: u128 = 0x7fc0_0000;
const NAN64: u128 = 0x7ff8_0000_0000_0000;

fn f32(terms: &mut Terms, value: f32) -> Term {
    terms.bits(value.to_bits().into(), 32)
}

fn f64(terms: &mut Terms, value: f64) -> Term {
    terms.bits(value.to_bits().into(), 64)
}

#[test]
fn every_nan_is_the_same() {
    let mut t = Terms::new();
    let payload = t.bits(0xffff_0001, 32);
    let one = f32(&mut t, 1.0);
    let minus = f64(&mut t, -1.0);
    let sum = t.float(FloatOp::Add, payload, one);
    let root = t.float_sqrt(minus);
    let rounded = t.float_round(Rounding::Floor, payload);
    let fused = t.float_fma(one, payload, one);
    let wide = t.float_to_float(payload, 64);
    assert_eq!([sum, rounded, fused].map(|term| t.as_bits(term)), [Some(NAN32); 3]);
    assert_eq!([root, wide].map(|term| t.as_bits(term)), [Some(NAN64); 2]);
    let equal = t.float_compare(FloatCompare::Eq, payload, payload);
    assert_eq!(t.as_bool(equal), Some(false));
}

#[test]
fn single_precision_is_not_rounded_twice() {
    let mut t = Terms::new();
    let (a, b) = (16_777_216.0f32, 1.000_000_1f32);
    let [left, right] = [a, b].map(|value| f32(&mut t, value));
    for (op, expected) in [
        (FloatOp::Add, a + b),
        (FloatOp::Sub, a - b),
        (FloatOp::Mul, a * b),
        (FloatOp::Div, a / b),
        (FloatOp::Rem, a % b),
    ] {
        let result = t.float(op, left, right);
        assert_eq!(t.as_bits(result), Some(expected.to_bits().into()), "{op:?}");
    }
    let fused = t.float_fma(right, right, left);
    assert_eq!(t.as_bits(fused), Some(b.mul_add(b, a).to_bits().into()));
}

#[test]
fn casts_to_integers_saturate() {
    let mut t = Terms::new();
    for (value, unsigned, signed) in [
        (300.7, 255, 127),
        (-300.7, 0, 0x80),
        (-1.9, 0, 0xff),
        (f64::NAN, 0, 0),
        (f64::INFINITY, 255, 127),
        (200.0, 200, 127),
    ] {
        let term = f64(&mut t, value);
        let as_u8 = t.float_to_bits(term, false, 8);
        let as_i8 = t.float_to_bits(term, true, 8);
        assert_eq!([as_u8, as_i8].map(|term| t.as_bits(term)), [Some(unsigned), Some(signed)]);
    }
    let all = t.bits(u128::MAX, 128);
    let wide = t.float_from_bits(all, false, 32);
    assert_eq!(t.as_bits(wide), Some(f32::INFINITY.to_bits().into()));
    let minus_one = t.float_from_bits(all, true, 64);
    assert_eq!(t.as_bits(minus_one), Some((-1.0f64).to_bits().into()));
}
