//! What the compiler implements itself.

use super::execute::{Endings, Executor, Stop};
use super::floats;
use super::memory::State;
use super::operations::Numbers;
use super::value::Value;
use crate::bits::sign_bit;
use crate::cfa::{BinaryOp, Intrinsic, TyId};
use crate::reason::{PointerUse, Reason, Reinterpretation, UnsupportedOperation, UnsupportedType};
use crate::solver::{
    BitCount, BitsOp, CompareOp, FloatCompare, FloatOp, OverflowOp, Rounding, Sort, Term,
};

impl Executor<'_, '_> {
    /// Runs an intrinsic, which is over the type `of` if it has type arguments. One that is not here
    /// ends the path: errs towards unknown.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: &Intrinsic,
        of: Option<TyId>,
        args: &[Value],
        state: &mut State,
        result: Option<TyId>,
    ) -> Result<(Endings, Option<Value>), Stop> {
        match intrinsic {
            Intrinsic::Assume => {
                let holds = args[0].scalar()?;
                let returned = state.assume(self.terms, holds).then(|| state.clone());
                return Ok((Endings { returned, ..Endings::default() }, Some(Value::unit())));
            }
            Intrinsic::Unreachable => return Ok((Endings::default(), None)),
            Intrinsic::Abort => {
                let aborted = Some(state.clone());
                return Ok((Endings { aborted, ..Endings::default() }, None));
            }
            _ => {}
        }
        let value = self.intrinsic_value(intrinsic, of, args, state, result)?;
        Ok((Endings { returned: Some(state.clone()), ..Endings::default() }, Some(value)))
    }

    fn intrinsic_value(
        &mut self,
        intrinsic: &Intrinsic,
        of: Option<TyId>,
        args: &[Value],
        state: &mut State,
        result: Option<TyId>,
    ) -> Result<Value, Reason> {
        let first = || -> Result<Term, Reason> {
            args.first().ok_or(UnsupportedOperation::MissingArgument)?.scalar()
        };
        let both = || -> Result<(Term, Term), Reason> {
            match args {
                [one, two, ..] => Ok((one.scalar()?, two.scalar()?)),
                _ => Err(UnsupportedOperation::MissingArgument.into()),
            }
        };
        let scalar = Value::Scalar;
        Ok(match intrinsic {
            Intrinsic::BlackBox => args[0].clone(),
            Intrinsic::ColdPath
            | Intrinsic::Forget
            | Intrinsic::AssertInhabited
            | Intrinsic::AssertZeroValid
            | Intrinsic::AssertMemUninitializedValid => Value::unit(),
            // Any answer has to lead to the same: the compiler may give either.
            Intrinsic::IsValStaticallyKnown => scalar(self.terms.bool(false)),
            Intrinsic::WrappingAdd | Intrinsic::UncheckedAdd => {
                let (one, two) = both()?;
                scalar(self.terms.binary(BitsOp::Add, one, two))
            }
            Intrinsic::WrappingSub | Intrinsic::UncheckedSub => {
                let (one, two) = both()?;
                scalar(self.terms.binary(BitsOp::Sub, one, two))
            }
            Intrinsic::WrappingMul | Intrinsic::UncheckedMul => {
                let (one, two) = both()?;
                scalar(self.terms.binary(BitsOp::Mul, one, two))
            }
            Intrinsic::AddWithOverflow
            | Intrinsic::SubWithOverflow
            | Intrinsic::MulWithOverflow => {
                let op = match intrinsic {
                    Intrinsic::AddWithOverflow => BinaryOp::AddWithOverflow,
                    Intrinsic::SubWithOverflow => BinaryOp::SubWithOverflow,
                    _ => BinaryOp::MulWithOverflow,
                };
                self.binary(state, op, &args[0], &args[1], of, of, result)?
            }
            Intrinsic::UncheckedDiv | Intrinsic::ExactDiv => {
                self.binary(state, BinaryOp::Div, &args[0], &args[1], of, of, result)?
            }
            Intrinsic::UncheckedRem => {
                self.binary(state, BinaryOp::Rem, &args[0], &args[1], of, of, result)?
            }
            Intrinsic::DisjointBitor => {
                self.binary(state, BinaryOp::BitOr, &args[0], &args[1], of, of, result)?
            }
            Intrinsic::ThreeWayCompare => {
                self.binary(state, BinaryOp::Cmp, &args[0], &args[1], of, of, result)?
            }
            Intrinsic::UncheckedShl | Intrinsic::UncheckedShr => {
                let op = if *intrinsic == Intrinsic::UncheckedShl {
                    BinaryOp::Shl
                } else {
                    BinaryOp::Shr
                };
                let signed = matches!(self.numbers(of)?, Numbers::Signed(_));
                let (one, two) = both()?;
                scalar(self.shift(op, one, two, signed, false))
            }
            Intrinsic::SaturatingAdd | Intrinsic::SaturatingSub => {
                let signed = matches!(self.numbers(of)?, Numbers::Signed(_));
                let (one, two) = both()?;
                let (op, overflow) = match intrinsic {
                    Intrinsic::SaturatingAdd => (BitsOp::Add, OverflowOp::Add),
                    _ => (BitsOp::Sub, OverflowOp::Sub),
                };
                scalar(self.saturating(op, overflow, signed, one, two))
            }
            Intrinsic::RotateLeft | Intrinsic::RotateRight => {
                let (value, amount) = both()?;
                scalar(self.rotate(*intrinsic == Intrinsic::RotateLeft, value, amount))
            }
            Intrinsic::Ctpop => {
                let value = first()?;
                let count = self.terms.count(BitCount::Ones, value);
                self.resize_count(count, result)?
            }
            Intrinsic::Ctlz | Intrinsic::CtlzNonzero => {
                let value = first()?;
                let count = self.terms.count(BitCount::LeadingZeros, value);
                self.resize_count(count, result)?
            }
            Intrinsic::Cttz | Intrinsic::CttzNonzero => {
                let value = first()?;
                let count = self.terms.count(BitCount::TrailingZeros, value);
                self.resize_count(count, result)?
            }
            Intrinsic::Bitreverse => {
                let value = first()?;
                scalar(self.terms.reverse(value))
            }
            Intrinsic::Bswap => {
                let value = first()?;
                scalar(self.swap_bytes(value))
            }
            Intrinsic::CarryingMulAdd => self.carrying_mul_add(of, args)?,
            Intrinsic::DiscriminantValue => {
                let Value::Pointer(choices) = &args[0] else {
                    return Err(PointerUse::Unknown.into());
                };
                let value = state.read_choices(self.terms, choices)?;
                self.discriminant(&value, of, result)?
            }
            Intrinsic::ReadViaCopy => {
                let choices = self.seen_as(state, &args[0], of)?;
                state.read_choices(self.terms, &choices)?
            }
            Intrinsic::WriteViaMove => {
                let choices = self.seen_as(state, &args[0], of)?;
                state.write_choices(self.terms, &choices, &args[1])?;
                Value::unit()
            }
            Intrinsic::TypedSwapNonoverlapping => {
                let one = self.seen_as(state, &args[0], of)?;
                let two = self.seen_as(state, &args[1], of)?;
                let of_one = state.read_choices(self.terms, &one)?;
                let of_two = state.read_choices(self.terms, &two)?;
                state.write_choices(self.terms, &one, &of_two)?;
                state.write_choices(self.terms, &two, &of_one)?;
                Value::unit()
            }
            Intrinsic::CopyNonoverlapping | Intrinsic::Copy => {
                self.copy(args, of, state)?;
                Value::unit()
            }
            Intrinsic::WriteBytes => {
                self.fill(args, of, state)?;
                Value::unit()
            }
            Intrinsic::CompareBytes => self.compare_bytes(state, args, result)?,
            Intrinsic::SizeOfVal => self.size_of_value(of, &args[0])?,
            Intrinsic::AlignOf | Intrinsic::AlignOfVal => self.align_of(of)?,
            Intrinsic::Transmute | Intrinsic::TransmuteUnchecked => {
                let result = result.ok_or(Reinterpretation::Value)?;
                super::bytes::transmute(self, state, args[0].clone(), of, result)?
            }
            Intrinsic::SizeOf => {
                let size = of.and_then(|ty| self.shapes.size(ty));
                let size = size.ok_or(UnsupportedType::UnknownSize)?;
                scalar(self.terms.bits(size.into(), 64))
            }
            Intrinsic::Offset | Intrinsic::ArithOffset => {
                // The one is over the type of the pointer, the other over that of its target.
                let pointee = if *intrinsic == Intrinsic::Offset { self.pointee(of) } else { of };
                let pointee = pointee.ok_or(PointerUse::Unknown)?;
                self.offset(state, &args[0], args[1].scalar()?, pointee)?
            }
            Intrinsic::PtrOffsetFrom | Intrinsic::PtrOffsetFromUnsigned => {
                let pointee = of.ok_or(PointerUse::Unknown)?;
                self.distance(state, &args[0], &args[1], pointee)?
            }
            Intrinsic::PtrMetadata => self.metadata(&args[0])?,
            Intrinsic::IntegerMin | Intrinsic::IntegerMax => {
                let signed = matches!(self.numbers(of)?, Numbers::Signed(_));
                let op = if signed { CompareOp::Slt } else { CompareOp::Ult };
                let (one, two) = both()?;
                // Of equal numbers it does not matter which.
                let less = self.terms.compare(op, one, two);
                scalar(match intrinsic {
                    Intrinsic::IntegerMin => self.terms.ite(less, one, two),
                    _ => self.terms.ite(less, two, one),
                })
            }
            Intrinsic::RawEq => self.same_bytes(state, args, of)?,
            Intrinsic::SelectUnpredictable => {
                let condition = first()?;
                Value::ite(self.terms, condition, &args[1], &args[2])
            }
            Intrinsic::Fabs => {
                let value = floats::expect(self.terms, first()?)?;
                scalar(floats::absolute(self.terms, value))
            }
            Intrinsic::Copysignf32 | Intrinsic::Copysignf64 => {
                let (value, sign) = both()?;
                scalar(self.copy_sign(state, value, sign)?)
            }
            Intrinsic::MinimumNumberNszF32 | Intrinsic::MinimumNumberNszF64 => {
                let (one, two) = both()?;
                self.number_of_two(intrinsic, true, one, two)?
            }
            Intrinsic::MaximumNumberNszF32 | Intrinsic::MaximumNumberNszF64 => {
                let (one, two) = both()?;
                self.number_of_two(intrinsic, false, one, two)?
            }
            Intrinsic::Minimumf32
            | Intrinsic::Minimumf64
            | Intrinsic::Maximumf32
            | Intrinsic::Maximumf64 => {
                let (one, two) = both()?;
                let least = matches!(intrinsic, Intrinsic::Minimumf32 | Intrinsic::Minimumf64);
                self.extreme_of_two(least, one, two)?
            }
            Intrinsic::Floor => self.round(Rounding::Floor, first()?)?,
            Intrinsic::Ceil => self.round(Rounding::Ceil, first()?)?,
            Intrinsic::Trunc => self.round(Rounding::Trunc, first()?)?,
            Intrinsic::Round => self.round(Rounding::HalfAway, first()?)?,
            Intrinsic::RoundTiesEven => self.round(Rounding::HalfEven, first()?)?,
            Intrinsic::Sqrt => {
                let value = floats::expect(self.terms, first()?)?;
                let value = floats::number(self.terms, value);
                let root = self.terms.float_sqrt(value);
                scalar(floats::of_arithmetic(self.terms, root))
            }
            Intrinsic::Fma => {
                let (one, two) = both()?;
                let three = args[2].scalar()?;
                let mut numbers = Vec::new();
                for float in [one, two, three] {
                    let float = floats::expect(self.terms, float)?;
                    numbers.push(floats::number(self.terms, float));
                }
                let sum = self.terms.float_fma(numbers[0], numbers[1], numbers[2]);
                scalar(floats::of_arithmetic(self.terms, sum))
            }
            _ => return Err(Reason::Intrinsic(intrinsic.name().into())),
        })
    }

    fn round(&mut self, rounding: Rounding, value: Term) -> Result<Value, Reason> {
        let value = floats::expect(self.terms, value)?;
        let value = floats::number(self.terms, value);
        let rounded = self.terms.float_round(rounding, value);
        Ok(Value::Scalar(floats::of_arithmetic(self.terms, rounded)))
    }

    fn width(&self, term: Term) -> u32 {
        match self.terms.sort(term) {
            Sort::Bits(width) => width,
            _ => 1,
        }
    }

    fn saturating(
        &mut self,
        op: BitsOp,
        overflow: OverflowOp,
        signed: bool,
        one: Term,
        two: Term,
    ) -> Term {
        let width = self.width(one);
        let value = self.terms.binary(op, one, two);
        let overflows = self.terms.overflows(overflow, signed, one, two);
        let limit = if signed {
            let zero = self.terms.bits(0, width);
            let negative = self.terms.compare(CompareOp::Slt, one, zero);
            let least = self.terms.bits(sign_bit(width), width);
            let most = self.terms.bits(sign_bit(width) - 1, width);
            self.terms.ite(negative, least, most)
        } else if op == BitsOp::Add {
            self.terms.bits(u128::MAX, width)
        } else {
            self.terms.bits(0, width)
        };
        self.terms.ite(overflows, limit, value)
    }

    fn rotate(&mut self, left: bool, value: Term, amount: Term) -> Term {
        let width = self.width(value);
        let given = self.width(amount);
        let amount = match given >= width {
            true => {
                // Widths are powers of two: the low bits decide.
                self.terms.extract(amount, 0, width)
            }
            false => self.terms.zero_extend(amount, width),
        };
        let mask = self.terms.bits(u128::from(width) - 1, width);
        let forth = self.terms.binary(BitsOp::And, amount, mask);
        let zero = self.terms.bits(0, width);
        let back = self.terms.binary(BitsOp::Sub, zero, forth);
        let back = self.terms.binary(BitsOp::And, back, mask);
        let (up, down) = if left { (forth, back) } else { (back, forth) };
        let high = self.terms.binary(BitsOp::Shl, value, up);
        let low = self.terms.binary(BitsOp::LShr, value, down);
        self.terms.binary(BitsOp::Or, high, low)
    }

    fn swap_bytes(&mut self, value: Term) -> Term {
        let width = self.width(value);
        let mut result: Option<Term> = None;
        for index in 0..width / 8 {
            let byte = self.terms.extract(value, 8 * index, 8);
            result = Some(match result {
                None => byte,
                Some(high) => self.terms.concat(high, byte),
            });
        }
        result.unwrap_or(value)
    }

    /// Counts are as wide as what is counted; the result is a `u32`.
    fn resize_count(&mut self, count: Term, result: Option<TyId>) -> Result<Value, Reason> {
        let to = result.ok_or(UnsupportedOperation::BitCount)?;
        self.resize(count, false, to)
    }

    /// `a * b + c + d` in double width, as its low and high halves.
    fn carrying_mul_add(&mut self, of: Option<TyId>, args: &[Value]) -> Result<Value, Reason> {
        let numbers = self.numbers(of)?;
        let (bits, signed) = match numbers {
            Numbers::Unsigned(bits) => (bits, false),
            Numbers::Signed(bits) => (bits, true),
            _ => return Err(UnsupportedOperation::OnNoNumber.into()),
        };
        if bits > 64 {
            return Err(UnsupportedOperation::WideProduct.into());
        }
        let mut wide = Vec::new();
        for arg in args {
            let arg = arg.scalar()?;
            wide.push(match signed {
                true => self.terms.sign_extend(arg, 2 * bits),
                false => self.terms.zero_extend(arg, 2 * bits),
            });
        }
        let [a, b, c, d] = wide[..] else {
            return Err(UnsupportedOperation::MissingArgument.into());
        };
        let product = self.terms.binary(BitsOp::Mul, a, b);
        let sum = self.terms.binary(BitsOp::Add, product, c);
        let sum = self.terms.binary(BitsOp::Add, sum, d);
        let low = self.terms.extract(sum, 0, bits);
        let high = self.terms.extract(sum, bits, bits);
        Ok(Value::fields([Value::Scalar(low), Value::Scalar(high)]))
    }

    /// The lesser or the greater of two floats; a number before a NaN.
    ///
    /// Of two zeros of different signs the compiler may take either: which one is a function of the
    /// two of which nothing is known.
    fn number_of_two(
        &mut self,
        intrinsic: &Intrinsic,
        least: bool,
        one: Term,
        two: Term,
    ) -> Result<Value, Reason> {
        let [one, two] = [floats::expect(self.terms, one)?, floats::expect(self.terms, two)?];
        let terms = &mut *self.terms;
        let [a, b] = [one, two].map(|it| floats::number(terms, it));
        let same = terms.float_compare(FloatCompare::Eq, a, b);
        let symbol = self.policy.choice(terms, intrinsic);
        let chosen = terms.apply(symbol, [a, b]);
        let either = terms.ite(chosen, one, two);
        let (first, second) = if least { (a, b) } else { (b, a) };
        let before = terms.float_compare(FloatCompare::Lt, first, second);
        let ordered = terms.ite(before, one, two);
        let identical = terms.eq(a, b);
        let equal = terms.ite(identical, one, either);
        let value = terms.ite(same, equal, ordered);
        let [one_nan, two_nan] = [one, two].map(|it| floats::is_nan(terms, it));
        let value = terms.ite(two_nan, one, value);
        let value = terms.ite(one_nan, two, value);
        let nan = terms.float(FloatOp::Add, a, b);
        let nan = floats::of_arithmetic(terms, nan);
        let no_number = terms.and([one_nan, two_nan]);
        Ok(Value::Scalar(terms.ite(no_number, nan, value)))
    }

    /// The lesser or the greater of two floats, NaN if one is; the zeros are in order.
    fn extreme_of_two(&mut self, least: bool, one: Term, two: Term) -> Result<Value, Reason> {
        let [one, two] = [floats::expect(self.terms, one)?, floats::expect(self.terms, two)?];
        let terms = &mut *self.terms;
        let [a, b] = [one, two].map(|it| floats::number(terms, it));
        let (first, second) = if least { (a, b) } else { (b, a) };
        let before = terms.float_compare(FloatCompare::Lt, first, second);
        let same = terms.float_compare(FloatCompare::Eq, a, b);
        let zero = terms.bits(0, terms.width(first));
        // Equal numbers are identical, or zeros of which one is negative.
        let first_negative = terms.compare(CompareOp::Slt, first, zero);
        let equal = terms.ite(first_negative, one, two);
        let ordered = terms.ite(before, one, two);
        let value = terms.ite(same, equal, ordered);
        let nan = terms.float(FloatOp::Add, a, b);
        let nan = floats::of_arithmetic(terms, nan);
        let unordered = [one, two].map(|it| floats::is_nan(terms, it));
        let unordered = terms.or(unordered);
        Ok(Value::Scalar(terms.ite(unordered, nan, value)))
    }
}
