//! Floats as terms: their bits, and one more above them that says of a NaN that its bits are not
//! specified.
//!
//! Rust leaves open which bits arithmetic gives to a NaN, and keeps those of a NaN that is merely
//! passed on. What arithmetic gives is therefore a value of its own here, that no NaN with bits is
//! equal to: two results of arithmetic are equal as NaNs, whatever was computed. Code that looks at
//! their bits is not followed.
//!
//! Changing the sign leaves the rest of a NaN alone: of one without bits it can be known whether its
//! sign was set, and to what.

use super::execute::{Executor, IncompletePath};
use super::memory::State;
use crate::bits::sign_bit;
use crate::reason::{Reason, Reinterpretation};
use crate::solver::{BitsOp, CompareOp, Sort, Term, Terms};

/// The width of the terms that stand for floats of so many bits. None for floats that are not
/// followed.
pub fn width(bits: u32) -> Option<u32> {
    matches!(bits, 16 | 32 | 64).then_some(bits + 1)
}

/// The NaN that every operator of the solver gives.
fn canonical_nan(bits: u32) -> u128 {
    let exponent = match bits {
        16 => 5,
        32 => 8,
        _ => 11,
    };
    ((1 << (exponent + 1)) - 1) << (bits - exponent - 2)
}

/// A term that stands for a float: unsafe code can see memory as another type.
pub fn expect(terms: &Terms, term: Term) -> Result<Term, Reason> {
    match terms.sort(term) {
        Sort::Bits(width) if self::width(width - 1) == Some(width) => Ok(term),
        _ => Err(Reinterpretation::Value.into()),
    }
}

/// The float with these bits.
pub fn of_bits(terms: &mut Terms, number: Term) -> Term {
    let wide = terms.width(number) + 1;
    terms.zero_extend(number, wide)
}

/// What an operator gave, in the solver's terms, of which NaNs have no bits.
pub fn of_arithmetic(terms: &mut Terms, number: Term) -> Term {
    let bits = terms.width(number);
    let nan = terms.bits(canonical_nan(bits), bits);
    let is_nan = terms.eq(number, nan);
    let [yes, no] = [1, 0].map(|it| terms.bits(it, 1));
    let flag = terms.ite(is_nan, yes, no);
    terms.concat(flag, number)
}

/// What operators take. A NaN without bits is any NaN to them.
pub fn number(terms: &mut Terms, float: Term) -> Term {
    let bits = terms.width(float) - 1;
    terms.extract(float, 0, bits)
}

/// That a term is a float: a NaN without bits has one form but for its sign.
pub fn is_valid(terms: &mut Terms, float: Term) -> Term {
    let bits = terms.width(float) - 1;
    let plain = has_bits(terms, float);
    let rest = terms.extract(float, 1, bits - 2);
    let nan = terms.bits(canonical_nan(bits) >> 1, bits - 2);
    let unspecified = terms.eq(rest, nan);
    terms.or([plain, unspecified])
}

pub fn negate(terms: &mut Terms, float: Term) -> Term {
    let width = terms.width(float);
    let sign = terms.bits(1 << (width - 2), width);
    terms.binary(BitsOp::Xor, float, sign)
}

/// The float with a positive sign.
pub fn absolute(terms: &mut Terms, float: Term) -> Term {
    let width = terms.width(float);
    let rest = terms.bits(!(1u128 << (width - 2)), width);
    let positive = terms.binary(BitsOp::And, float, rest);
    // That the sign was set is kept where a NaN without bits has nothing else.
    let flag = terms.extract(float, width - 1, 1);
    let was_set = terms.zero_extend(flag, width);
    terms.binary(BitsOp::Or, positive, was_set)
}

/// Whether it is any float but a NaN whose bits are not specified.
fn has_bits(terms: &mut Terms, float: Term) -> Term {
    let width = terms.width(float);
    let flag = terms.extract(float, width - 1, 1);
    let no = terms.bits(0, 1);
    terms.eq(flag, no)
}

pub fn is_nan(terms: &mut Terms, float: Term) -> Term {
    let number = number(terms, float);
    let bits = terms.width(number);
    let mask = terms.bits(!sign_bit(bits), bits);
    let magnitude = terms.binary(BitsOp::And, number, mask);
    // Infinity has the bits of the NaN but for the first one after the exponent.
    let nan = canonical_nan(bits);
    let infinity = terms.bits(nan & (nan << 1), bits);
    terms.compare(CompareOp::Ult, infinity, magnitude)
}

impl Executor<'_, '_> {
    /// The bits of a float, for code that looks at them. Ends the paths on which they are not
    /// specified.
    pub(super) fn float_bits(&mut self, state: &State, float: Term) -> Result<Term, Reason> {
        let float = expect(self.terms, float)?;
        let specified = has_bits(self.terms, float);
        if self.terms.as_bool(specified) == Some(false) {
            return Err(Reason::NanBits);
        }
        let unspecified = self.terms.not(specified);
        let path = state.path.iter().copied().chain([unspecified]);
        let condition = self.terms.and(path);
        if self.terms.as_bool(condition) != Some(false) {
            let (function, span) = self.at;
            let reason = Reason::NanBits;
            self.incomplete.push(IncompletePath {
                condition,
                reason,
                function,
                span,
                bounded: false,
            });
        }
        Ok(number(self.terms, float))
    }

    /// The one float with the sign of the other.
    pub(super) fn copy_sign(
        &mut self,
        state: &State,
        float: Term,
        from: Term,
    ) -> Result<Term, Reason> {
        let from = self.float_bits(state, from)?;
        let float = expect(self.terms, float)?;
        let positive = absolute(self.terms, float);
        let width = self.terms.width(positive);
        let sign = self.terms.bits(1 << (width - 2), width);
        let from = self.terms.zero_extend(from, width);
        let sign = self.terms.binary(BitsOp::And, from, sign);
        Ok(self.terms.binary(BitsOp::Or, positive, sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::FloatOp;

    #[test]
    fn nans_of_arithmetic_are_equal_to_none_that_has_bits() {
        for (bits, nan) in [(32, 0x7FC0_0000), (64, f64::NAN.to_bits().into())] {
            let mut terms = Terms::new();
            assert_eq!(canonical_nan(bits), nan);
            let nan = terms.bits(nan, bits);
            let sum = terms.float(FloatOp::Add, nan, nan);
            let [given, made] = [of_bits(&mut terms, nan), of_arithmetic(&mut terms, sum)];
            assert_ne!(given, made);
            for float in [given, made] {
                let holds = is_nan(&mut terms, float);
                assert_eq!(terms.as_bool(holds), Some(true));
                let valid = is_valid(&mut terms, float);
                assert_eq!(terms.as_bool(valid), Some(true));
            }
            let back = negate(&mut terms, made);
            let back = negate(&mut terms, back);
            assert_eq!(back, made);
            let positive = absolute(&mut terms, made);
            assert_ne!(positive, made);
            let negative = negate(&mut terms, positive);
            assert_ne!(negative, positive);
            let valid = is_valid(&mut terms, negative);
            assert_eq!(terms.as_bool(valid), Some(true));
            let again = absolute(&mut terms, negative);
            assert_eq!(again, positive);
        }
    }

    #[test]
    fn infinity_is_no_nan() {
        let mut terms = Terms::new();
        for (float, expected) in [(f64::INFINITY, false), (-f64::NAN, true), (-0.0, false)] {
            let float = terms.bits(float.to_bits().into(), 64);
            let float = of_bits(&mut terms, float);
            let holds = is_nan(&mut terms, float);
            assert_eq!(terms.as_bool(holds), Some(expected));
        }
    }
}
