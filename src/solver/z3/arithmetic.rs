//! What operators do to numbers: exactly, and then back into as many bits.

use cargo_cse::solver::{BitsOp, query::runs};
use z3::ast::{Bool, Int};

use super::numbers::{Number, all_signed, all_unsigned, integer, power_of_two};

/// Wraps unless `exact`, or the ranges show that it cannot.
pub fn unsigned_arithmetic(op: BitsOp, left: &Number, right: &Number, exact: bool) -> Number {
    let width = left.width();
    let all = all_unsigned(width);
    let (a, b) = (left.unsigned_range, right.unsigned_range);
    let range = match op {
        BitsOp::Add => a.0.checked_add(b.0).zip(a.1.checked_add(b.1)),
        BitsOp::Sub => a.0.checked_sub(b.1).zip(a.1.checked_sub(b.0)),
        _ => a.0.checked_mul(b.0).zip(a.1.checked_mul(b.1)),
    };
    let form = arithmetic(op, left.as_unsigned(), right.as_unsigned());
    match range {
        Some(range) if range.1 <= all.1 => return Number::unsigned(form, range, width),
        _ if exact => return Number::unsigned(form, all, width),
        _ => {}
    }
    let values = power_of_two(width);
    let wrapped = match op {
        BitsOp::Add => form.ge(&values).ite(&(&form - &values), &form),
        BitsOp::Sub => form.lt(integer(0)).ite(&(&form + &values), &form),
        _ => form.modulo(values),
    };
    Number::unsigned(wrapped, all, width)
}

/// Wraps unless `exact`, or the ranges show that it cannot.
pub fn signed_arithmetic(op: BitsOp, left: &Number, right: &Number, exact: bool) -> Number {
    let width = left.width();
    let all = all_signed(width);
    let (a, b) = (left.signed_range, right.signed_range);
    let range = match op {
        BitsOp::Add => a.0.checked_add(b.0).zip(a.1.checked_add(b.1)),
        BitsOp::Sub => a.0.checked_sub(b.1).zip(a.1.checked_sub(b.0)),
        _ => {
            let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
            let corners: Option<Vec<i128>> =
                corners.into_iter().map(|(a, b)| a.checked_mul(b)).collect();
            corners.and_then(|corners| Some((*corners.iter().min()?, *corners.iter().max()?)))
        }
    };
    let form = arithmetic(op, left.as_signed(), right.as_signed());
    match range {
        Some(range) if all.0 <= range.0 && range.1 <= all.1 => {
            return Number::signed(form, range, width);
        }
        _ if exact => return Number::signed(form, all, width),
        _ => {}
    }
    let (values, half) = (power_of_two(width), power_of_two(width - 1));
    let wrapped = match op {
        BitsOp::Mul => (form + &half).modulo(values) - half,
        _ => {
            let below = form.lt(-&half).ite(&(&form + &values), &form);
            form.ge(&half).ite(&(&form - &values), &below)
        }
    };
    Number::signed(wrapped, all, width)
}

fn arithmetic(op: BitsOp, left: &Int, right: &Int) -> Int {
    match op {
        BitsOp::Add => left + right,
        BitsOp::Sub => left - right,
        _ => left * right,
    }
}

pub fn divide(op: BitsOp, left: &Number, right: &Number) -> Number {
    let width = left.width();
    let (dividend, divisor) = (left.as_unsigned(), right.as_unsigned());
    let (from, to) = right.unsigned_range;
    let by_zero = if op == BitsOp::UDiv {
        Number::constant(all_unsigned(width).1, width)
    } else {
        copy(left)
    };
    if to == 0 {
        return by_zero;
    }
    let (form, range) = if op == BitsOp::UDiv {
        (dividend.div(divisor), (left.unsigned_range.0 / to, left.unsigned_range.1 / from.max(1)))
    } else {
        (dividend.modulo(divisor), (0, left.unsigned_range.1.min(to - 1)))
    };
    if from > 0 {
        return Number::unsigned(form, range, width);
    }
    let range = (range.0.min(by_zero.unsigned_range.0), range.1.max(by_zero.unsigned_range.1));
    let form = divisor.eq(integer(0)).ite(by_zero.as_unsigned(), &form);
    Number::unsigned(form, range, width)
}

/// Towards zero, by the magnitudes, which is where the integers' division agrees.
pub fn divide_signed(op: BitsOp, left: &Number, right: &Number) -> Number {
    let width = left.width();
    let (dividend, divisor) = (left.as_signed(), right.as_signed());
    let is_negative = |form: &Int, range: (i128, i128)| match range {
        (0.., _) => Bool::from_bool(false),
        (_, ..0) => Bool::from_bool(true),
        _ => form.lt(integer(0)),
    };
    let dividend_is_negative = is_negative(dividend, left.signed_range);
    let divisor_is_negative = is_negative(divisor, right.signed_range);
    let positive_dividend = dividend_is_negative.ite(&-dividend, dividend);
    let positive_divisor = divisor_is_negative.ite(&-divisor, divisor);
    let (form, by_zero) = if op == BitsOp::SDiv {
        let magnitude = positive_dividend.div(positive_divisor);
        let differ = dividend_is_negative.xor(&divisor_is_negative);
        let quotient = differ.ite(&-&magnitude, &magnitude);
        // Only the least number by minus one gets there, and wraps.
        let half = power_of_two(width - 1);
        let wrapped = quotient.eq(&half).ite(&-&half, &quotient);
        (wrapped, dividend_is_negative.ite(&integer(1), &integer(-1)))
    } else {
        let magnitude = positive_dividend.modulo(positive_divisor);
        (dividend_is_negative.ite(&-&magnitude, &magnitude), dividend.clone())
    };
    let by_zero = wrapped_one(by_zero, op, width);
    let form = divisor.eq(integer(0)).ite(&by_zero, &form);
    Number::signed(form, all_signed(width), width)
}

/// In a single bit, one is minus one.
fn wrapped_one(quotient_by_zero: Int, op: BitsOp, width: u32) -> Int {
    if width == 1 && op == BitsOp::SDiv { integer(-1) } else { quotient_by_zero }
}

pub fn bitwise(op: BitsOp, left: &Number, right: &Number) -> Number {
    let width = left.width();
    let all = all_unsigned(width).1;
    let (of, mask) = match (left.value(), right.value()) {
        (_, Some(mask)) => (left, mask),
        (Some(mask), _) => (right, mask),
        _ => return single_bits(op, left, right),
    };
    let zero = integer(0);
    let masked = |mask: u128| {
        runs(mask).into_iter().fold(zero.clone(), |sum, (low, ones)| {
            sum + extract(of, low, ones).as_unsigned() * power_of_two(low)
        })
    };
    let constant = Int::from_u128(mask);
    let form = match op {
        BitsOp::And => masked(mask),
        BitsOp::Or => masked(all & !mask) + constant,
        _ => masked(all & !mask) + constant - masked(mask),
    };
    let range = match op {
        BitsOp::And => (0, mask.min(of.unsigned_range.1)),
        BitsOp::Or => (mask.max(of.unsigned_range.0), all),
        _ => (0, all),
    };
    Number::unsigned(form, range, width)
}

/// Of one bit each.
fn single_bits(op: BitsOp, left: &Number, right: &Number) -> Number {
    let (zero, one) = (integer(0), integer(1));
    let is_set = |number: &Number| number.as_unsigned().eq(&one);
    let (left, right) = (is_set(left), is_set(right));
    let both = match op {
        BitsOp::And => Bool::and(&[left, right]),
        BitsOp::Or => Bool::or(&[left, right]),
        _ => left.xor(right),
    };
    Number::unsigned(both.ite(&one, &zero), (0, 1), 1)
}

pub fn shift(op: BitsOp, of: &Number, by: u128) -> Number {
    let width = of.width();
    let by = by.min(width.into()) as u32;
    match op {
        _ if by == 0 => copy(of),
        BitsOp::Shl if by == width => Number::constant(0, width),
        BitsOp::LShr if by == width => Number::constant(0, width),
        BitsOp::Shl => {
            let kept = extract(of, 0, width - by);
            let range = (kept.unsigned_range.0 << by, kept.unsigned_range.1 << by);
            Number::unsigned(kept.as_unsigned() * power_of_two(by), range, width)
        }
        BitsOp::LShr => {
            let range = (of.unsigned_range.0 >> by, of.unsigned_range.1 >> by);
            Number::unsigned(of.as_unsigned().div(power_of_two(by)), range, width)
        }
        _ => {
            // Division by a positive number rounds down, as the shift does.
            let by = by.min(127);
            let range = (of.signed_range.0 >> by, of.signed_range.1 >> by);
            Number::signed(of.as_signed().div(power_of_two(by)), range, width)
        }
    }
}

/// Both forms of a number have the same low bits, since division by a power of two rounds down.
pub fn extract(of: &Number, low: u32, width: u32) -> Number {
    let all = all_unsigned(width);
    let (from, to) = of.unsigned_range;
    if to >> low <= all.1 {
        let form = of.as_unsigned();
        let form = if low == 0 { form.clone() } else { form.div(power_of_two(low)) };
        return Number::unsigned(form, (from >> low, to >> low), width);
    }
    let form = of.any_form();
    let form = if low == 0 { form.clone() } else { form.div(power_of_two(low)) };
    Number::unsigned(form.modulo(power_of_two(width)), all, width)
}

fn copy(of: &Number) -> Number {
    if of.is_signed {
        Number::signed(of.as_signed().clone(), of.signed_range, of.width())
    } else {
        Number::unsigned(of.as_unsigned().clone(), of.unsigned_range, of.width())
    }
}
