//! Floats: bits to Z3's floating-point numbers and back, with one NaN.

use std::{cell::RefCell, collections::HashMap};

use cargo_cse::bits::{mask, sign_bit};
use cargo_cse::reason::NoAnswer;
use cargo_cse::solver::{FloatCompare, FloatOp, Rounding};
use z3::{
    FuncDecl, Solver, Sort,
    ast::{Ast, BV, Bool, Float, RoundingMode},
};

use super::bits::constant;

/// The operators on floats of one query.
#[derive(Default)]
pub struct Floats {
    /// Those that the crate has no function for, by the formula they were taken from.
    operators: RefCell<HashMap<String, FuncDecl>>,
}

impl Floats {
    pub fn arithmetic(&self, op: FloatOp, left: &BV, right: &BV) -> Result<BV, NoAnswer> {
        let (left, right, to_even) = (self.float(left), self.float(right), to_even());
        Ok(bits(&match op {
            FloatOp::Add => to_even.add(&left, &right),
            FloatOp::Sub => to_even.sub(&left, &right),
            FloatOp::Mul => to_even.mul(&left, &right),
            FloatOp::Div => to_even.div(&left, &right),
            // Z3 has IEEE's remainder, which is another function.
            FloatOp::Rem => return Err(NoAnswer::FloatRemainder),
        }))
    }

    pub fn compare(&self, op: FloatCompare, left: &BV, right: &BV) -> Bool {
        let (left, right) = (self.float(left), self.float(right));
        match op {
            FloatCompare::Eq => left.eq_fpa(right),
            FloatCompare::Lt => left.lt(right),
            FloatCompare::Le => left.le(right),
        }
    }

    pub fn round(&self, rounding: Rounding, of: &BV) -> BV {
        let mode = match rounding {
            Rounding::Floor => RoundingMode::round_towards_negative(),
            Rounding::Ceil => RoundingMode::round_towards_positive(),
            Rounding::Trunc => RoundingMode::round_towards_zero(),
            Rounding::HalfAway => RoundingMode::round_nearest_ties_to_away(),
            Rounding::HalfEven => to_even(),
        };
        bits(&self.float(of).round_to_integral_with_rounding_mode(&mode))
    }

    pub fn sqrt(&self, of: &BV) -> BV {
        bits(&self.float(of).sqrt_with_rounding_mode(&to_even()))
    }

    pub fn fma(&self, a: &BV, b: &BV, c: &BV) -> BV {
        bits(&self.float(a).fma_with_rounding_mode(self.float(b), self.float(c), &to_even()))
    }

    pub fn convert(&self, of: &BV, width: u32) -> BV {
        bits(&self.float(of).to_fp_with_rounding_mode(&to_even(), &sort(width)))
    }

    pub fn of_integer(&self, of: &BV, signed: bool, width: u32) -> BV {
        let (exponent, significand) = format(width);
        let to_fp = if signed { "to_fp" } else { "to_fp_unsigned" };
        let operator = format!("((_ {to_fp} {exponent} {significand}) RNE x)");
        bits(&self.apply(&operator, of.get_size(), &[&to_even(), of]))
    }

    /// Towards zero. Z3 leaves open what lies outside the range: that is said here.
    pub fn to_integer(&self, of: &BV, signed: bool, width: u32) -> BV {
        let from = of.get_size();
        let of = self.float(of);
        let towards_zero = RoundingMode::round_towards_zero();
        let greatest = mask(width) >> u32::from(signed);
        let (least, inside) = if signed {
            let least = constant(sign_bit(width), width);
            (least, of.to_sbv_with_rounding_mode(&towards_zero, width))
        } else {
            (constant(0, width), of.to_ubv_with_rounding_mode(&towards_zero, width))
        };
        let power = if signed { width - 1 } else { width };
        let is_above = match self.power_of_two(power, from) {
            Some(bound) => of.ge(bound),
            None => Bool::and(&[of.is_infinite(), of.is_positive()]),
        };
        let is_below = match self.power_of_two(power, from) {
            _ if !signed => of.lt(self.float(&constant(0, from))),
            Some(bound) => of.le(bound.unary_neg()),
            None => Bool::and(&[of.is_infinite(), of.is_negative()]),
        };
        let rest = is_below.ite(&least, &inside);
        let number = is_above.ite(&constant(greatest, width), &rest);
        of.is_nan().ite(&constant(0, width), &number)
    }

    /// None if the greatest number is below.
    fn power_of_two(&self, power: u32, width: u32) -> Option<Float> {
        let (exponent, significand) = format(width);
        let bias = (1 << (exponent - 1)) - 1;
        (power <= bias).then(|| {
            let bits = u128::from(bias + power) << (significand - 1);
            self.float(&constant(bits, width))
        })
    }

    /// The float with these bits.
    fn float(&self, bits: &BV) -> Float {
        let (exponent, significand) = format(bits.get_size());
        let operator = format!("((_ to_fp {exponent} {significand}) x)");
        self.apply(&operator, bits.get_size(), &[bits])
    }

    /// Applies an operator on the bit-vector `x` that Z3 has and the crate does not: it is taken from
    /// a formula in which it occurs.
    fn apply(&self, application: &str, width: u32, arguments: &[&dyn Ast]) -> Float {
        let text =
            format!("(declare-const x (_ BitVec {width})) (assert (fp.isNaN {application}))");
        let mut operators = self.operators.borrow_mut();
        let operator = operators.entry(text).or_insert_with_key(|text| {
            let solver = Solver::new();
            solver.from_string(text.as_str());
            let formula = solver.get_assertions().pop().expect("the formula was read");
            formula.nth_child(0).expect("has an operand").decl()
        });
        operator.apply(arguments).as_float().expect("is a float")
    }
}

/// Of the exponent and of the significand, the hidden bit counted.
fn format(width: u32) -> (u32, u32) {
    match width {
        16 => (5, 11),
        32 => (8, 24),
        64 => (11, 53),
        128 => (15, 113),
        _ => panic!("no float has {width} bits"),
    }
}

fn sort(width: u32) -> Sort {
    let (exponent, significand) = format(width);
    Sort::float(exponent, significand)
}

fn to_even() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

/// The float's bits.
fn bits(float: &Float) -> BV {
    let bits = float.to_ieee_bv();
    let width = bits.get_size();
    let (_, significand) = format(width);
    // The exponent's bits and the significand's first one.
    let nan = mask(width - 1) & !0 << (significand - 2);
    float.is_nan().ite(&constant(nan, width), &bits)
}
