//! What expressions mean: arithmetic, casts, aggregates.

use std::rc::Rc;

use super::bytes;
use super::execute::{Executor, Frame};
use super::memory::State;
use super::places::is_unsized;
use super::shape::Kind;
use super::value::{Choice, Meta, Reason, Step, Target, Value, tag_width};
use crate::cfa::{
    ArrayLen, BinaryOp, CastKind, Operand, PointerMeta, Rvalue, TyId, TypeKind, UnaryOp,
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
                    return Err(Rc::from("an array of unknown length"));
                };
                if *length > super::shape::MAX_ELEMENTS {
                    return Err(Rc::from("a very long array"));
                }
                let element = self.operand(frame, state, operand)?;
                Ok(Value::fields((0..*length).map(|_| element.clone())))
            }
            Rvalue::Ref { place, .. } | Rvalue::RawPtr { place, .. } => {
                let choices = self.resolve(frame, state, place)?;
                Ok(Value::Pointer(choices.into()))
            }
            Rvalue::ThreadLocal(_) => Err(Rc::from("a value that each thread has of its own")),
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
                self.aggregate(*ty, *variant, fields)
            }
            Rvalue::UnionField { field, value, .. } => {
                let value = self.operand(frame, state, value)?;
                Ok(Value::Union { field: *field, value: Rc::new(value) })
            }
        }
    }

    pub(super) fn operand_type(&self, frame: &Frame, operand: &Operand) -> Option<TyId> {
        match operand {
            Operand::Read(place) => self.place_type(frame, place),
            Operand::Const(constant) => Some(constant.ty()),
        }
    }

    pub(super) fn aggregate(
        &mut self,
        ty: TyId,
        variant: u32,
        fields: Vec<Value>,
    ) -> Result<Value, Reason> {
        match self.shapes.kind(ty) {
            Kind::Variants(variants) => {
                let tag = self.terms.bits(variant.into(), tag_width(variants.len()));
                let Value::Variant { variants: blank, .. } = self.shapes.blank(self.terms, ty)
                else {
                    return Err(Rc::from("a type that contains itself"));
                };
                let mut all = blank.to_vec();
                all[variant as usize] = fields.into();
                Ok(Value::Variant { tag, variants: all.into() })
            }
            Kind::Fields(_) | Kind::Array(..) => Ok(Value::Fields(fields.into())),
            // A fat pointer put together from its parts.
            _ => match (&self.code.program.ty(ty).kind, &fields[..]) {
                (
                    TypeKind::RawPointer { .. } | TypeKind::Reference { .. },
                    [Value::Pointer(choices), Value::Scalar(length)],
                ) => Ok(Value::Pointer(
                    choices.iter().map(|it| with_length(self.terms, it, *length)).collect(),
                )),
                (TypeKind::RawPointer { .. }, [pointer @ Value::Pointer(_), Value::Fields(_)]) => {
                    Ok(pointer.clone())
                }
                _ => Err(Rc::from(format!("a value of type `{}`", self.code.program.ty(ty).name))),
            },
        }
    }

    pub(super) fn discriminant(
        &mut self,
        value: &Value,
        of: Option<TyId>,
        ty: Option<TyId>,
    ) -> Result<Value, Reason> {
        let unknown = || Rc::from("the variant of a value that is not known");
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
            (_, Value::Unknown(reason)) => Err(reason.clone()),
            // Types without variants have the discriminant 0.
            (Some(Kind::Fields(_) | Kind::Scalar(_)), _) => {
                Ok(Value::Scalar(self.terms.bits(0, width)))
            }
            _ => Err(unknown()),
        }
    }

    pub(super) fn numbers(&self, ty: Option<TyId>) -> Result<Numbers, Reason> {
        let unknown = || Rc::from("arithmetic on what is no number");
        match ty.map(|ty| &self.code.program.ty(ty).kind) {
            Some(TypeKind::Bool) => Ok(Numbers::Bool),
            Some(TypeKind::Char) => Ok(Numbers::Unsigned(32)),
            Some(TypeKind::Int { bits, signed: true }) => Ok(Numbers::Signed(*bits)),
            Some(TypeKind::Int { bits, signed: false }) => Ok(Numbers::Unsigned(*bits)),
            Some(TypeKind::Float { bits }) => Ok(Numbers::Float(*bits)),
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
            let pointee = self.pointee(of).ok_or("a pointer that is not known")?;
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
            return self.float_binary(op, left, right);
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
                    _ => return Err(Rc::from("an operation on numbers that is not known")),
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
            _ => return Err(Rc::from("an operation on truth values that is not known")),
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
            return Err(Rc::from("a comparison whose result is not known"));
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
        Ok(Value::Scalar(match op {
            BinaryOp::Add => terms.float(FloatOp::Add, left, right),
            BinaryOp::Sub => terms.float(FloatOp::Sub, left, right),
            BinaryOp::Mul => terms.float(FloatOp::Mul, left, right),
            BinaryOp::Div => terms.float(FloatOp::Div, left, right),
            BinaryOp::Rem => terms.float(FloatOp::Rem, left, right),
            BinaryOp::Eq => terms.float_compare(FloatCompare::Eq, left, right),
            BinaryOp::Ne => {
                let equal = terms.float_compare(FloatCompare::Eq, left, right);
                terms.not(equal)
            }
            BinaryOp::Lt => terms.float_compare(FloatCompare::Lt, left, right),
            BinaryOp::Le => terms.float_compare(FloatCompare::Le, left, right),
            BinaryOp::Gt => terms.float_compare(FloatCompare::Lt, right, left),
            BinaryOp::Ge => terms.float_compare(FloatCompare::Le, right, left),
            _ => return Err(Rc::from("an operation on floats that is not known")),
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
            (UnaryOp::Neg, Numbers::Float(bits)) => {
                let sign = self.terms.bits(1 << (bits - 1), bits);
                self.terms.binary(BitsOp::Xor, value, sign)
            }
            _ => return Err(Rc::from("an operation on a number that is not known")),
        }))
    }

    pub(super) fn metadata(&mut self, value: &Value) -> Result<Value, Reason> {
        let Value::Pointer(choices) = value else {
            return Err(Rc::from("a slice whose length is not known"));
        };
        let mut result: Option<Value> = None;
        for choice in choices.iter().rev() {
            let length = match &choice.target {
                Target::Part { meta: Meta::Length(length), .. } => Value::Scalar(*length),
                Target::Part { meta: Meta::None, .. } => Value::unit(),
                _ => return Err(Rc::from("a slice whose length is not known")),
            };
            result = Some(match result {
                Some(rest) => Value::ite(self.terms, choice.guard, &length, &rest),
                None => length,
            });
        }
        result.ok_or_else(|| Rc::from("a pointer to nowhere"))
    }

    /// Refuses pointers into an array whose elements are not of the type that they are counted in:
    /// the object is counted in its own elements here.
    pub(super) fn counts_in(
        &mut self,
        state: &State,
        target: &Target,
        pointee: TyId,
    ) -> Result<(), Reason> {
        let other = || Rc::from("arithmetic on a pointer in other units than its array's");
        let Target::Part { object, path, .. } = target else { return Ok(()) };
        let Some((Step::Element(_) | Step::From(_), way)) = path.split_last() else {
            return Ok(());
        };
        let array = super::memory::read(self.terms, state.object(*object)?, way)?;
        let Value::Fields(elements) = &array else { return Err(other()) };
        // A slice is counted in its elements.
        let pointee = match self.code.program.ty(pointee).kind {
            TypeKind::Slice(element) => element,
            _ => pointee,
        };
        let sized = self.shapes.size(pointee).is_some_and(|size| size > 0);
        let fits = elements.first().is_some_and(|it| self.shapes.conforms(self.terms, pointee, it));
        if sized && fits { Ok(()) } else { Err(other()) }
    }

    /// A pointer so many elements further on.
    pub(super) fn offset(
        &mut self,
        state: &State,
        pointer: &Value,
        by: Term,
        pointee: TyId,
    ) -> Result<Value, Reason> {
        let Value::Pointer(choices) = pointer else {
            return Err(Rc::from("a pointer that is not known"));
        };
        let by = match self.terms.sort(by) {
            Sort::Bits(64) => by,
            _ => return Err(Rc::from("an offset that is no number")),
        };
        if self.terms.as_bits(by) == Some(0) {
            return Ok(pointer.clone());
        }
        let mut moved = choices.to_vec();
        for choice in &mut moved {
            self.counts_in(state, &choice.target, pointee)?;
            let Target::Part { path, .. } = &mut choice.target else {
                return Err(Rc::from("arithmetic on a pointer to what is no object"));
            };
            let mut steps = path.to_vec();
            match steps.pop() {
                Some(Step::Element(index)) => {
                    steps.push(Step::Element(self.terms.binary(BitsOp::Add, index, by)));
                }
                Some(Step::From(index)) => {
                    steps.push(Step::From(self.terms.binary(BitsOp::Add, index, by)));
                }
                _ => return Err(Rc::from("arithmetic on a pointer to what is no array")),
            }
            *path = steps.into();
        }
        Ok(Value::Pointer(moved.into()))
    }

    /// Pointers into one array compare as their indices do; two equal pointers are equal. Nothing
    /// else is known of addresses.
    pub(super) fn compare_pointers(
        &mut self,
        op: BinaryOp,
        state: &State,
        one: &[Choice],
        two: &[Choice],
    ) -> Result<Value, Reason> {
        let unknown = || Rc::from("a comparison of addresses");
        let ([one], [two]) = (one, two) else { return Err(unknown()) };
        // Of fat pointers the length counts too.
        let lengths = match (&one.target, &two.target) {
            (
                Target::Part { meta: Meta::Length(one), .. },
                Target::Part { meta: Meta::Length(two), .. },
            ) => Some((*one, *two)),
            (
                Target::Part { meta: Meta::None, .. } | Target::Address(_),
                Target::Part { meta: Meta::None, .. } | Target::Address(_),
            ) => None,
            _ => return Err(unknown()),
        };
        if lengths.is_some() && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return Err(unknown());
        }
        let (left, right) = match (&one.target, &two.target) {
            (Target::Address(one), Target::Address(two)) => (*one, *two),
            (
                Target::Part { object: in_one, path: by_one, .. },
                Target::Part { object: in_two, path: by_two, .. },
            ) if in_one == in_two => match (by_one.split_last(), by_two.split_last()) {
                (
                    Some((Step::Element(left) | Step::From(left), way)),
                    Some((Step::Element(right) | Step::From(right), other)),
                ) if way == other => {
                    let array = super::memory::read(self.terms, state.object(*in_one)?, way)?;
                    // Elements without content have one address.
                    if !matches!(&array, Value::Fields(it) if it.first().is_some_and(has_content)) {
                        return Err(unknown());
                    }
                    (*left, *right)
                }
                (one, two) if one == two => {
                    let zero = self.terms.bits(0, 64);
                    (zero, zero)
                }
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        };
        let mut equal = self.terms.eq(left, right);
        if let Some((one, two)) = lengths {
            let as_long = self.terms.eq(one, two);
            equal = self.terms.and([equal, as_long]);
        }
        Ok(Value::Scalar(match op {
            BinaryOp::Eq => equal,
            BinaryOp::Ne => self.terms.not(equal),
            BinaryOp::Lt => self.terms.compare(CompareOp::Ult, left, right),
            BinaryOp::Le => self.terms.compare(CompareOp::Ule, left, right),
            BinaryOp::Gt => self.terms.compare(CompareOp::Ult, right, left),
            BinaryOp::Ge => self.terms.compare(CompareOp::Ule, right, left),
            _ => return Err(unknown()),
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
                    return Err(Rc::from("a cast to what is no float"));
                };
                let value = value.scalar()?;
                Ok(Value::Scalar(self.terms.float_from_bits(value, signed, bits)))
            }
            CastKind::FloatToInt => {
                let value = value.scalar()?;
                match self.numbers(Some(to))? {
                    Numbers::Signed(bits) => {
                        Ok(Value::Scalar(self.terms.float_to_bits(value, true, bits)))
                    }
                    Numbers::Unsigned(bits) => {
                        Ok(Value::Scalar(self.terms.float_to_bits(value, false, bits)))
                    }
                    _ => Err(Rc::from("a cast to what is no integer")),
                }
            }
            CastKind::FloatToFloat => {
                let Numbers::Float(bits) = self.numbers(Some(to))? else {
                    return Err(Rc::from("a cast to what is no float"));
                };
                let value = value.scalar()?;
                Ok(Value::Scalar(self.terms.float_to_float(value, bits)))
            }
            CastKind::PtrToPtr => self.cast_pointer(value, from, to),
            CastKind::Unsize(meta) => self.unsize(value, meta, from),
            CastKind::Transmute => bytes::transmute(self, state, value, from, to),
            CastKind::FnToPtr => Ok(value),
            CastKind::PtrToInt => Err(Rc::from("an address as a number")),
            CastKind::IntToPtr => {
                let target = Target::Address(value.scalar()?);
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
            return Err(Rc::from("a cast to what is no integer"));
        };
        Ok(Value::Scalar(match (width <= from, signed) {
            (true, _) => self.terms.extract(value, 0, width),
            (false, true) => self.terms.sign_extend(value, width),
            (false, false) => self.terms.zero_extend(value, width),
        }))
    }

    pub(super) fn pointee(&self, ty: Option<TyId>) -> Option<TyId> {
        match self.code.program.ty(ty?).kind {
            TypeKind::Reference { to, .. } | TypeKind::RawPointer { to, .. } => Some(to),
            _ => None,
        }
    }

    fn cast_pointer(
        &mut self,
        value: Value,
        from: Option<TyId>,
        to: TyId,
    ) -> Result<Value, Reason> {
        let Value::Pointer(choices) = &value else { return Ok(value) };
        let (Some(from), Some(to)) = (self.pointee(from), self.pointee(Some(to))) else {
            return Ok(value);
        };
        let from_kind = self.shapes.kind(from);
        let to_is_unsized = is_unsized(&self.shapes.kind(to));
        let mut changed = choices.to_vec();
        for choice in &mut changed {
            let Target::Part { path, meta, .. } = &mut choice.target else { continue };
            match (&from_kind, path.split_last()) {
                // From a slice to its first element.
                (_, Some((Step::From(start), way))) if !to_is_unsized => {
                    *path = way.iter().copied().chain([Step::Element(*start)]).collect();
                    *meta = Meta::None;
                }
                // From an array to its first element.
                (Kind::Array(element, _), _) if self.same_kind(*element, to) => {
                    let start = self.terms.bits(0, 64);
                    *path = path.iter().copied().chain([Step::Element(start)]).collect();
                }
                _ => {}
            }
        }
        Ok(Value::Pointer(changed.into()))
    }

    fn same_kind(&self, one: TyId, two: TyId) -> bool {
        self.code.program.ty(one).name == self.code.program.ty(two).name
    }

    fn unsize(
        &mut self,
        value: Value,
        meta: Option<PointerMeta>,
        from: Option<TyId>,
    ) -> Result<Value, Reason> {
        // A struct that ends in a slice has parts before it.
        let of_array = self.pointee(from).is_some_and(|ty| self.shapes.length(ty).is_some());
        if let (Some(PointerMeta::Length(_)), false) = (meta, of_array) {
            return Err(Rc::from("a struct that ends in a slice"));
        }
        let (Value::Pointer(choices), Some(meta)) = (&value, meta) else {
            return Err(Rc::from("a pointer made to one of unknown size"));
        };
        let mut changed = choices.to_vec();
        for choice in &mut changed {
            let Target::Part { path, meta: known, .. } = &mut choice.target else {
                return Err(Rc::from("a pointer made to one of unknown size"));
            };
            *known = match meta {
                PointerMeta::Length(length) => {
                    let start = self.terms.bits(0, 64);
                    *path = path.iter().copied().chain([Step::From(start)]).collect();
                    Meta::Length(self.terms.bits(length.into(), 64))
                }
                PointerMeta::VTable(id) => Meta::VTable(id),
            };
        }
        Ok(Value::Pointer(changed.into()))
    }
}

fn has_content(value: &Value) -> bool {
    match value {
        Value::Fields(fields) => fields.iter().any(has_content),
        _ => true,
    }
}

/// A pointer to an element as one to a slice that begins there.
fn with_length(terms: &mut Terms, choice: &Choice, length: Term) -> Choice {
    let mut choice = choice.clone();
    if let Target::Part { path, meta, .. } = &mut choice.target {
        let (mut steps, start) = match path.split_last() {
            Some((Step::Element(start) | Step::From(start), way)) => (way.to_vec(), *start),
            _ => (path.to_vec(), terms.bits(0, 64)),
        };
        steps.push(Step::From(start));
        *path = steps.into();
        *meta = Meta::Length(length);
    }
    choice
}
