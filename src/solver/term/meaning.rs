//! What each operator does to values: the one meaning that the builder and [`super::Terms::eval`]
//! share, and that both of Z3's encodings are tested against.

use super::{BitCount, BitsOp, CompareOp, FloatCompare, FloatOp, OverflowOp, Rounding};
use crate::bits::{mask, signed};

pub(super) fn binary(op: BitsOp, left: u128, right: u128, width: u32) -> u128 {
    let (left_signed, right_signed) = (signed(left, width), signed(right, width));
    let in_range = right < u128::from(width);
    let result = match op {
        BitsOp::Add => left.wrapping_add(right),
        BitsOp::Sub => left.wrapping_sub(right),
        BitsOp::Mul => left.wrapping_mul(right),
        BitsOp::UDiv => left.checked_div(right).unwrap_or(u128::MAX),
        BitsOp::SDiv if right == 0 => {
            if left_signed < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BitsOp::SDiv => left_signed.wrapping_div(right_signed) as u128,
        BitsOp::URem => left.checked_rem(right).unwrap_or(left),
        BitsOp::SRem if right == 0 => left,
        BitsOp::SRem => left_signed.wrapping_rem(right_signed) as u128,
        BitsOp::And => left & right,
        BitsOp::Or => left | right,
        BitsOp::Xor => left ^ right,
        BitsOp::Shl if in_range => left << right,
        BitsOp::LShr if in_range => left >> right,
        BitsOp::Shl | BitsOp::LShr => 0,
        BitsOp::AShr if in_range => (left_signed >> right) as u128,
        BitsOp::AShr => (left_signed >> 127) as u128,
    };
    result & mask(width)
}

pub(super) fn compare(op: CompareOp, left: u128, right: u128, width: u32) -> bool {
    match op {
        CompareOp::Ult => left < right,
        CompareOp::Ule => left <= right,
        CompareOp::Slt => signed(left, width) < signed(right, width),
        CompareOp::Sle => signed(left, width) <= signed(right, width),
    }
}

pub(super) fn overflows(
    op: OverflowOp,
    is_signed: bool,
    left: u128,
    right: u128,
    width: u32,
) -> bool {
    if is_signed {
        let (left, right) = (signed(left, width), signed(right, width));
        let exact = match op {
            OverflowOp::Add => left.checked_add(right),
            OverflowOp::Sub => left.checked_sub(right),
            OverflowOp::Mul => left.checked_mul(right),
        };
        exact.is_none_or(|exact| signed(exact as u128, width) != exact)
    } else {
        let exact = match op {
            OverflowOp::Add => left.checked_add(right),
            OverflowOp::Sub => left.checked_sub(right),
            OverflowOp::Mul => left.checked_mul(right),
        };
        exact.is_none_or(|exact| exact > mask(width))
    }
}

pub(super) fn count(count: BitCount, value: u128, width: u32) -> u128 {
    let count = match count {
        BitCount::Ones => value.count_ones(),
        BitCount::LeadingZeros => value.leading_zeros() - (128 - width),
        BitCount::TrailingZeros => value.trailing_zeros().min(width),
    };
    u128::from(count) & mask(width)
}

pub(super) fn reverse(value: u128, width: u32) -> u128 {
    value.reverse_bits() >> (128 - width)
}

/// The NaN that every operator on floats gives.
fn canonical_nan(width: u32) -> u128 {
    if width == 32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 }
}

/// The operations below are the hardware's and `std`'s on `f32` and `f64`, each in its own
/// precision; other widths have no value.
trait Native: Sized {
    fn of(bits: u128) -> Self;
    fn bits(self) -> u128;
}

impl Native for f32 {
    fn of(bits: u128) -> f32 {
        f32::from_bits(bits as u32)
    }

    fn bits(self) -> u128 {
        if self.is_nan() { canonical_nan(32) } else { u128::from(self.to_bits()) }
    }
}

impl Native for f64 {
    fn of(bits: u128) -> f64 {
        f64::from_bits(bits as u64)
    }

    fn bits(self) -> u128 {
        if self.is_nan() { canonical_nan(64) } else { u128::from(self.to_bits()) }
    }
}

/// Evaluates an expression with `$float` as `f32` or as `f64`.
macro_rules! native {
    ($width:expr, $float:ident => $body:expr) => {
        match $width {
            32 => {
                type $float = f32;
                Some($body)
            }
            64 => {
                type $float = f64;
                Some($body)
            }
            _ => None,
        }
    };
}

pub(super) fn float(op: FloatOp, left: u128, right: u128, width: u32) -> Option<u128> {
    native!(width, F => {
        let (left, right) = (F::of(left), F::of(right));
        let result = match op {
            FloatOp::Add => left + right,
            FloatOp::Sub => left - right,
            FloatOp::Mul => left * right,
            FloatOp::Div => left / right,
            FloatOp::Rem => left % right,
        };
        Native::bits(result)
    })
}

pub(super) fn float_compare(op: FloatCompare, left: u128, right: u128, width: u32) -> Option<bool> {
    native!(width, F => {
        let (left, right) = (F::of(left), F::of(right));
        match op {
            FloatCompare::Eq => left == right,
            FloatCompare::Lt => left < right,
            FloatCompare::Le => left <= right,
        }
    })
}

pub(super) fn float_round(rounding: Rounding, value: u128, width: u32) -> Option<u128> {
    native!(width, F => {
        let value = F::of(value);
        Native::bits(match rounding {
            Rounding::Floor => value.floor(),
            Rounding::Ceil => value.ceil(),
            Rounding::Trunc => value.trunc(),
            Rounding::HalfAway => value.round(),
            Rounding::HalfEven => value.round_ties_even(),
        })
    })
}

pub(super) fn float_sqrt(value: u128, width: u32) -> Option<u128> {
    native!(width, F => Native::bits(F::of(value).sqrt()))
}

pub(super) fn float_fma(a: u128, b: u128, c: u128, width: u32) -> Option<u128> {
    native!(width, F => Native::bits(F::of(a).mul_add(F::of(b), F::of(c))))
}

/// `from` is the integer's width, `to` the float's.
pub(super) fn float_from_bits(value: u128, is_signed: bool, from: u32, to: u32) -> Option<u128> {
    native!(to, F => {
        Native::bits(if is_signed { signed(value, from) as F } else { value as F })
    })
}

/// `from` is the float's width, `to` the integer's.
pub(super) fn float_to_bits(value: u128, is_signed: bool, from: u32, to: u32) -> Option<u128> {
    native!(from, F => {
        let value = F::of(value);
        if is_signed {
            let greatest = (mask(to) >> 1) as i128;
            (value as i128).clamp(-greatest - 1, greatest) as u128 & mask(to)
        } else {
            (value as u128).min(mask(to))
        }
    })
}

pub(super) fn float_to_float(value: u128, from: u32, to: u32) -> Option<u128> {
    native!(from, From => native!(to, To => Native::bits(From::of(value) as To)))?
}
