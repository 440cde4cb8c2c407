//! What expressions mean: arithmetic, casts, aggregates.

use std::rc::Rc;

use super::bytes;
use super::execute::{Executor, Frame};
use super::floats;
use super::memory::State;
use super::shape::Kind;
use super::value::{PointerTarget, Value, tag_width};
use crate::cfa::{ArrayLen, BinaryOp, CastKind, Operand, Rvalue, TyId, TypeKind, UnaryOp};
use crate::reason::{
    AddressUse, Extent, GenericCode, PointerUse, Reason, SharedState, UnexpectedForm,
    UnsupportedOperation, UnsupportedType,
};
use crate::solver::{BitsOp, CompareOp, FloatCompare, FloatOp, OverflowOp, Sort, Term, Terms};

/// How the bits of a scalar are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    Unsigned(u32),
    Signed(u32),
    Float(u32),
    Bool,
}

impl Executor<'_, '_> {
    pub(super) fn rvalue(
        &mut self,
        frame: &Frame,
        state: &mut State,
        rvalue: &Rvalue,
        ty: Option<TyId>,
    ) -> Result<Value, Reason> {
        match rvalue {
            Rvalue::Use(operand) => self.operand(frame, state, operand),
            Rvalue::Repeat(operand, length) => {
                let ArrayLen::Known(length) = length else {
                    return Err(GenericCode::ArrayLength.into());
                };
                if *length > super::shape::MAX_ELEMENTS {
                    return Err(Extent::LongArray.into());
                }
                let element = self.operand(frame, state, operand)?;
                Ok(Value::fields((0..*length).map(|_| element.clone())))
            }
            Rvalue::Ref { place, .. } | Rvalue::RawPtr { place, .. } => {
                let choices = self.resolve(frame, state, place)?;
                Ok(Value::Pointer(choices.into()))
            }
            Rvalue::ThreadLocal(_) => Err(SharedState::ThreadLocal.into()),
            Rvalue::Cast(kind, operand, to) => {
                let from = self.operand_type(frame, operand);
                let value = self.operand(frame, state, operand)?;
                self.cast(state, *kind, value, from, *to)
            }
            Rvalue::Binary(op, left, right) => {
                let of = self.operand_type(frame, left);
                let right_of = self.operand_type(frame, right);
                let left = self.operand(frame, state, left)?;
                let right = self.operand(frame, state, right)?;
                self.binary(state, *op, &left, &right, of, right_of, ty)
            }
            Rvalue::Unary(op, operand) => {
                let of = self.operand_type(frame, operand);
                let value = self.operand(frame, state, operand)?;
                self.unary(*op, &value, of)
            }
            Rvalue::Discriminant(place) => {
                let of = self.place_type(frame, place);
                let choices = self.resolve(frame, state, place)?;
                let value = state.read_choices(self.terms, &choices)?;
                self.discriminant(&value, of, ty)
            }
            Rvalue::Aggregate { ty, variant, fields } => {
                let fields: Vec<Value> = fields
                    .iter()
                    .map(|field| self.operand(frame, state, field))
                    .collect::<Result<_, _>>()?;
                self.aggregate(state, *ty, *variant, fields)
            }
            // Nothing is written yet: what will be is the field with content.
            Rvalue::UnionField { ty, value, .. }
                if self
                    .operand_type(frame, value)
                    .is_some_and(|ty| self.code.program.is_zero_sized(ty)) =>
            {
                Ok(self.shapes.blank(self.terms, *ty))
            }
            Rvalue::UnionField { field, value, .. } => {
                let value = self.operand(frame, state, value)?;
                Ok(Value::Union { field: *field, value: Rc::new(value) })
            }
        }
    }

    pub(super) fn operand_type(&self, frame: &Frame, operand: &Operand) -> Option<TyId> {
        self.code.program.operand_type(&frame.ready.locals, operand)
    }

    fn aggregate(
        &mut self,
        state: &State,
        ty: TyId,
        variant: u32,
        fields: Vec<Value>,
    ) -> Result<Value, Reason> {
        match self.shapes.kind(ty) {
            Kind::Variants(variants) => {
                let tag = self.terms.bits(variant.into(), tag_width(variants.len()));
                let Value::Variant { variants: blank, .. } = self.shapes.blank(self.terms, ty)
                else {
                    return Err(UnsupportedType::Recursive.into());
                };
                let mut all = blank.to_vec();
                all[variant as usize] = fields.into();
                Ok(Value::Variant { tag, variants: all.into() })
            }
            Kind::Fields(_) | Kind::Array(..) => Ok(Value::Fields(fields.into())),
            // A fat pointer put together from its parts.
            _ => match (&self.code.program.ty(ty).kind, &fields[..]) {
                (
                    TypeKind::RawPointer { to, .. } | TypeKind::Reference { to, .. },
                    [Value::Pointer(choices), Value::Scalar(length)],
                ) if matches!(
                    self.code.program.ty(*to).kind,
                    TypeKind::Slice(_) | TypeKind::Str
                ) =>
                {
                    let choices = choices.iter().map(|it| self.with_length(state, it, *length));
                    Ok(Value::Pointer(choices.collect::<Result<_, _>>()?))
                }
                (TypeKind::RawPointer { .. }, [pointer @ Value::Pointer(_), Value::Fields(_)]) => {
                    Ok(pointer.clone())
                }
                _ => Err(self.shapes.refusal(ty)),
            },
        }
    }

    pub(super) fn discriminant(
        &mut self,
        value: &Value,
        of: Option<TyId>,
        ty: Option<TyId>,
    ) -> Result<Value, Reason> {
        let unknown = || Reason::from(UnexpectedForm::UnknownVariant);
        let width = match ty.map(|ty| self.shapes.kind(ty)) {
            Some(Kind::Scalar(Sort::Bits(width))) => width,
            _ => return Err(unknown()),
        };
        match (of.map(|ty| self.shapes.kind(ty)), value) {
            (Some(Kind::Variants(variants)), Value::Variant { tag, .. }) => {
                let by_number =
                    variants.iter().zip(0..).all(|(it, number)| it.discriminant == number);
                let tag_bits = tag_width(variants.len());
                if by_number && tag_bits <= width {
                    return Ok(Value::Scalar(self.terms.zero_extend(*tag, width)));
                }
                let mut result = None;
                for (number, variant) in variants.iter().enumerate().rev() {
                    let discriminant = self.terms.bits(variant.discriminant, width);
                    result = Some(match result {
                        None => discriminant,
                        Some(rest) => {
                            let number = self.terms.bits(number as u128, tag_bits);
                            let here = self.terms.eq(*tag, number);
                            self.terms.ite(here, discriminant, rest)
                        }
                    });
                }
                result.map(Value::Scalar).ok_or_else(unknown)
            }
            (_, Value::Unknown(reason)) => Err(Reason::clone(reason)),
            // Types without variants have the discriminant 0.
            (Some(Kind::Fields(_) | Kind::Scalar(_)), _) => {
                Ok(Value::Scalar(self.terms.bits(0, width)))
            }
            _ => Err(match of {
                Some(ty) if matches!(self.shapes.kind(ty), Kind::Other(_)) => {
                    self.shapes.refusal(ty)
                }
                _ => unknown(),
            }),
        }
    }

    pub(super) fn numbers(&self, ty: Option<TyId>) -> Result<Numbers, Reason> {
        let unknown = || Reason::from(UnsupportedOperation::OnNoNumber);
        match ty.map(|ty| &self.code.program.ty(ty).kind) {
            Some(TypeKind::Bool) => Ok(Numbers::Bool),
            Some(TypeKind::Char) => Ok(Numbers::Unsigned(32)),
            Some(TypeKind::Int { bits, signed: true }) => Ok(Numbers::Signed(*bits)),
            Some(TypeKind::Int { bits, signed: false }) => Ok(Numbers::Unsigned(*bits)),
            Some(TypeKind::Float { bits }) if floats::width(*bits).is_some() => {
                Ok(Numbers::Float(*bits))
            }
            _ => Err(unknown()),
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn binary(
        &mut self,
        state: &State,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        of: Option<TyId>,
        right_of: Option<TyId>,
        result: Option<TyId>,
    ) -> Result<Value, Reason> {
        if let (Value::Pointer(one), Value::Pointer(two)) = (left, right) {
            return self.compare_pointers(op, state, one, two);
        }
        if op == BinaryOp::Offset {
            let pointee = self.pointee(of).ok_or(PointerUse::Unknown)?;
            return self.offset(state, left, right.scalar()?, pointee);
        }
        // Unit and other types without content are all the same.
        if let (Value::Fields(one), Value::Fields(two)) = (left, right)
            && one.is_empty()
            && two.is_empty()
            && let BinaryOp::Eq | BinaryOp::Ne = op
        {
            return Ok(Value::Scalar(self.terms.bool(op == BinaryOp::Eq)));
        }
        let numbers = self.numbers(of)?;
        let (left, right) = (left.scalar()?, right.scalar()?);
        if let Numbers::Float(_) = numbers {
            let [left, right] = [left, right].map(|it| floats::expect(self.terms, it));
            return self.float_binary(op, left?, right?);
        }
        if numbers == Numbers::Bool {
            return self.bool_binary(op, left, right, result);
        }
        let signed = matches!(numbers, Numbers::Signed(_));
        let terms = &mut *self.terms;
        let with_overflow = |terms: &mut Terms, op, overflow| {
            let value = terms.binary(op, left, right);
            let flag = terms.overflows(overflow, signed, left, right);
            Value::fields([Value::Scalar(value), Value::Scalar(flag)])
        };
        let plain = match op {
            BinaryOp::AddWithOverflow => {
                return Ok(with_overflow(terms, BitsOp::Add, OverflowOp::Add));
            }
            BinaryOp::SubWithOverflow => {
                return Ok(with_overflow(terms, BitsOp::Sub, OverflowOp::Sub));
            }
            BinaryOp::MulWithOverflow => {
                return Ok(with_overflow(terms, BitsOp::Mul, OverflowOp::Mul));
            }
            BinaryOp::Add => BitsOp::Add,
            BinaryOp::Sub => BitsOp::Sub,
            BinaryOp::Mul => BitsOp::Mul,
            BinaryOp::Div if signed => BitsOp::SDiv,
            BinaryOp::Div => BitsOp::UDiv,
            BinaryOp::Rem if signed => BitsOp::SRem,
            BinaryOp::Rem => BitsOp::URem,
            BinaryOp::BitXor => BitsOp::Xor,
            BinaryOp::BitAnd => BitsOp::And,
            BinaryOp::BitOr => BitsOp::Or,
            BinaryOp::Shl | BinaryOp::Shr => {
                let amount_signed = matches!(self.numbers(right_of)?, Numbers::Signed(_));
                return Ok(Value::Scalar(self.shift(op, left, right, signed, amount_signed)));
            }
            BinaryOp::Cmp => return self.three_way(left, right, signed, result),
            _ => {
                let less = if signed { CompareOp::Slt } else { CompareOp::Ult };
                let at_most = if signed { CompareOp::Sle } else { CompareOp::Ule };
                return Ok(Value::Scalar(match op {
                    BinaryOp::Eq => terms.eq(left, right),
                    BinaryOp::Ne => {
                        let equal = terms.eq(left, right);
                        terms.not(equal)
                    }
                    BinaryOp::Lt => terms.compare(less, left, right),
                    BinaryOp::Le => terms.compare(at_most, left, right),
                    BinaryOp::Gt => terms.compare(less, right, left),
                    BinaryOp::Ge => terms.compare(at_most, right, left),
                    _ => return Err(UnsupportedOperation::OnIntegers.into()),
                }));
            }
        };
        Ok(Value::Scalar(terms.binary(plain, left, right)))
    }

    /// Shifts take their amount modulo the width, whatever its type.
    pub(super) fn shift(
        &mut self,
        op: BinaryOp,
        left: Term,
        right: Term,
        signed: bool,
        amount_signed: bool,
    ) -> Term {
        let (Sort::Bits(width), Sort::Bits(given)) =
            (self.terms.sort(left), self.terms.sort(right))
        else {
            unreachable!("integers are bits")
        };
        // The mask is applied to the amount at the greater width: none of its low bits is lost.
        let wide = width.max(given);
        let amount = match amount_signed {
            true => self.terms.sign_extend(right, wide),
            false => self.terms.zero_extend(right, wide),
        };
        let mask = self.terms.bits(u128::from(width) - 1, wide);
        let amount = self.terms.binary(BitsOp::And, amount, mask);
        let amount = self.terms.extract(amount, 0, width);
        let op = match op {
            BinaryOp::Shl => BitsOp::Shl,
            _ if signed => BitsOp::AShr,
            _ => BitsOp::LShr,
        };
        self.terms.binary(op, left, amount)
    }

    fn bool_binary(
        &mut self,
        op: BinaryOp,
        left: Term,
        right: Term,
        result: Option<TyId>,
    ) -> Result<Value, Reason> {
        let terms = &mut *self.terms;
        Ok(Value::Scalar(match op {
            BinaryOp::BitAnd => terms.and([left, right]),
            BinaryOp::BitOr => terms.or([left, right]),
            BinaryOp::Eq => terms.eq(left, right),
            BinaryOp::BitXor | BinaryOp::Ne => {
                let equal = terms.eq(left, right);
                terms.not(equal)
            }
            BinaryOp::Lt => {
                let no = terms.not(left);
                terms.and([no, right])
            }
            BinaryOp::Le => terms.implies(left, right),
            BinaryOp::Gt => {
                let no = terms.not(right);
                terms.and([left, no])
            }
            BinaryOp::Ge => terms.implies(right, left),
            BinaryOp::Cmp => {
                let (one, zero) = (terms.bits(1, 1), terms.bits(0, 1));
                let left = terms.ite(left, one, zero);
                let right = terms.ite(right, one, zero);
                return self.three_way(left, right, false, result);
            }
            _ => return Err(UnsupportedOperation::OnBools.into()),
        }))
    }

    /// `Ordering`, whose variants are less, equal and greater.
    pub(super) fn three_way(
        &mut self,
        left: Term,
        right: Term,
        signed: bool,
        result: Option<TyId>,
    ) -> Result<Value, Reason> {
        let Some(Kind::Variants(variants)) = result.map(|ty| self.shapes.kind(ty)) else {
            return Err(UnsupportedOperation::Comparison.into());
        };
        let width = tag_width(variants.len());
        let op = if signed { CompareOp::Slt } else { CompareOp::Ult };
        let less = self.terms.compare(op, left, right);
        let equal = self.terms.eq(left, right);
        let [first, second, third] = [0, 1, 2].map(|it| self.terms.bits(it, width));
        let rest = self.terms.ite(equal, second, third);
        let tag = self.terms.ite(less, first, rest);
        Ok(Value::Variant { tag, variants: variants.iter().map(|_| Rc::from([])).collect() })
    }

    fn float_binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Result<Value, Reason> {
        let terms = &mut *self.terms;
        let [left, right] = [left, right].map(|it| floats::number(terms, it));
        let mut arithmetic = |op| {
            let number = terms.float(op, left, right);
            floats::of_arithmetic(terms, number)
        };
        Ok(Value::Scalar(match op {
            BinaryOp::Add => arithmetic(FloatOp::Add),
            BinaryOp::Sub => arithmetic(FloatOp::Sub),
            BinaryOp::Mul => arithmetic(FloatOp::Mul),
            BinaryOp::Div => arithmetic(FloatOp::Div),
            BinaryOp::Rem => arithmetic(FloatOp::Rem),
            BinaryOp::Eq => terms.float_compare(FloatCompare::Eq, left, right),
            BinaryOp::Ne => {
                let equal = terms.float_compare(FloatCompare::Eq, left, right);
                terms.not(equal)
            }
            BinaryOp::Lt => terms.float_compare(FloatCompare::Lt, left, right),
            BinaryOp::Le => terms.float_compare(FloatCompare::Le, left, right),
            BinaryOp::Gt => terms.float_compare(FloatCompare::Lt, right, left),
            BinaryOp::Ge => terms.float_compare(FloatCompare::Le, right, left),
            _ => return Err(UnsupportedOperation::OnFloats.into()),
        }))
    }

    fn unary(&mut self, op: UnaryOp, value: &Value, of: Option<TyId>) -> Result<Value, Reason> {
        if op == UnaryOp::PtrMetadata {
            return self.metadata(value);
        }
        let numbers = self.numbers(of)?;
        let value = value.scalar()?;
        Ok(Value::Scalar(match (op, numbers) {
            (UnaryOp::Not, Numbers::Bool) => self.terms.not(value),
            (UnaryOp::Not, Numbers::Unsigned(bits) | Numbers::Signed(bits)) => {
                let ones = self.terms.bits(u128::MAX, bits);
                self.terms.binary(BitsOp::Xor, value, ones)
            }
            (UnaryOp::Neg, Numbers::Signed(bits) | Numbers::Unsigned(bits)) => {
                let zero = self.terms.bits(0, bits);
                self.terms.binary(BitsOp::Sub, zero, value)
            }
            (UnaryOp::Neg, Numbers::Float(_)) => {
                let value = floats::expect(self.terms, value)?;
                floats::negate(self.terms, value)
            }
            _ => return Err(UnsupportedOperation::Unary.into()),
        }))
    }

    pub(super) fn cast(
        &mut self,
        state: &State,
        kind: CastKind,
        value: Value,
        from: Option<TyId>,
        to: TyId,
    ) -> Result<Value, Reason> {
        match kind {
            CastKind::IntToInt => {
                // An enum's discriminant is read before it is cast.
                let signed = matches!(self.numbers(from), Ok(Numbers::Signed(_)));
                self.resize(value.scalar()?, signed, to)
            }
            CastKind::IntToFloat => {
                let signed = matches!(self.numbers(from)?, Numbers::Signed(_));
                let Numbers::Float(bits) = self.numbers(Some(to))? else {
                    return Err(UnsupportedOperation::CastToNoFloat.into());
                };
                let value = value.scalar()?;
                // No integer is a NaN.
                let number = self.terms.float_from_bits(value, signed, bits);
                Ok(Value::Scalar(floats::of_bits(self.terms, number)))
            }
            CastKind::FloatToInt => {
                let value = floats::expect(self.terms, value.scalar()?)?;
                let value = floats::number(self.terms, value);
                match self.numbers(Some(to))? {
                    Numbers::Signed(bits) => {
                        Ok(Value::Scalar(self.terms.float_to_bits(value, true, bits)))
                    }
                    Numbers::Unsigned(bits) => {
                        Ok(Value::Scalar(self.terms.float_to_bits(value, false, bits)))
                    }
                    _ => Err(UnsupportedOperation::CastToNoInteger.into()),
                }
            }
            CastKind::FloatToFloat => {
                let Numbers::Float(bits) = self.numbers(Some(to))? else {
                    return Err(UnsupportedOperation::CastToNoFloat.into());
                };
                let value = floats::expect(self.terms, value.scalar()?)?;
                let value = floats::number(self.terms, value);
                let number = self.terms.float_to_float(value, bits);
                Ok(Value::Scalar(floats::of_arithmetic(self.terms, number)))
            }
            CastKind::PtrToPtr => self.cast_pointer(value, from, to),
            CastKind::Unsize(meta) => self.unsize(value, meta, from),
            CastKind::Transmute => bytes::transmute(self, state, value, from, to),
            CastKind::FnToPtr => Ok(value),
            CastKind::PtrToInt => Err(AddressUse::CastToNumber.into()),
            CastKind::IntToPtr => {
                let target = PointerTarget::Address(value.scalar()?);
                Ok(Value::pointer(self.terms, target))
            }
        }
    }

    /// An integer of another width, by the signedness that it had.
    pub(super) fn resize(&mut self, value: Term, signed: bool, to: TyId) -> Result<Value, Reason> {
        let value = match self.terms.sort(value) {
            Sort::Bool => {
                let (one, zero) = (self.terms.bits(1, 1), self.terms.bits(0, 1));
                self.terms.ite(value, one, zero)
            }
            _ => value,
        };
        let (Sort::Bits(from), Kind::Scalar(Sort::Bits(width))) =
            (self.terms.sort(value), self.shapes.kind(to))
        else {
            return Err(UnsupportedOperation::CastToNoInteger.into());
        };
        Ok(Value::Scalar(match (width <= from, signed) {
            (true, _) => self.terms.extract(value, 0, width),
            (false, true) => self.terms.sign_extend(value, width),
            (false, false) => self.terms.zero_extend(value, width),
        }))
    }
}
