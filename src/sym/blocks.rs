//! What the compiler implements itself that works on memory: copies, comparisons, sizes.

use super::execute::Executor;
use super::floats;
use super::memory::{State, read, select};
use super::shape::Kind;
use super::value::{Choice, PathElement, PointerTarget, Value};
use crate::cfa::{TyId, TypeKind};
use crate::reason::{
    AddressUse, Extent, PointerUse, Reason, Reinterpretation, UnsupportedOperation, UnsupportedType,
};
use crate::solver::{BitsOp, CompareOp, Sort, Term};

impl Executor<'_, '_> {
    /// The places of a raw pointer, seen as a type.
    pub(super) fn seen_as(
        &mut self,
        state: &State,
        pointer: &Value,
        of: Option<TyId>,
    ) -> Result<Vec<Choice>, Reason> {
        let (Some(Value::Pointer(choices)), Some(of)) = (pointer_in(pointer), of) else {
            return Err(PointerUse::Unknown.into());
        };
        let mut choices = choices.to_vec();
        for choice in &mut choices {
            self.see_as(state, &mut choice.target, of)?;
            self.check_bounds(state, choice)?;
        }
        Ok(choices)
    }

    /// Copies elements. Of a number that is not known, as many as there can be, each where the
    /// number reaches it.
    pub(super) fn copy(
        &mut self,
        args: &[Value],
        of: Option<TyId>,
        state: &mut State,
    ) -> Result<(), Reason> {
        let [from, to, count] = args else {
            return Err(UnsupportedOperation::MissingArgument.into());
        };
        let pointee = of.ok_or(PointerUse::Unknown)?;
        if self.code.program.is_zero_sized(pointee) {
            return Ok(());
        }
        let count = count.scalar()?;
        let most = match self.terms.as_bits(count) {
            Some(count) => count,
            None => self.room(state, from, pointee)?.min(self.room(state, to, pointee)?),
        };
        if most > u128::from(super::shape::MAX_ELEMENTS) {
            return Err(Extent::LongCopy.into());
        }
        let mut copied = Vec::new();
        for index in 0..most {
            let by = self.terms.bits(index, 64);
            let reached = self.terms.compare(CompareOp::Ult, by, count);
            if let Some(from) = self.element_at(state, from, index, pointee, reached)? {
                copied.push((index, reached, state.read_choices(self.terms, &from)?));
            }
        }
        for (index, reached, value) in copied {
            if let Some(to) = self.element_at(state, to, index, pointee, reached)? {
                let before = state.read_choices(self.terms, &to)?;
                let value = Value::ite(self.terms, reached, &value, &before);
                state.write_choices(self.terms, &to, &value)?;
            }
        }
        Ok(())
    }

    /// Where an element lies that is so many further on than a pointer points to. None if there is no
    /// such one: then the condition, under which code comes to it, cannot hold.
    fn element_at(
        &mut self,
        state: &State,
        pointer: &Value,
        index: u128,
        pointee: TyId,
        reached: Term,
    ) -> Result<Option<Vec<Choice>>, Reason> {
        let by = self.terms.bits(index, 64);
        let moved = self.offset(state, pointer, by, pointee)?;
        // What is not reached has no bounds to keep.
        let mut assumed = state.clone();
        if !assumed.assume(self.terms, reached) {
            return Ok(None);
        }
        self.seen_as(&assumed, &moved, Some(pointee)).map(Some)
    }

    /// How many elements there can be at most from where a pointer points to.
    fn room(&mut self, state: &State, pointer: &Value, of: TyId) -> Result<u128, Reason> {
        let unknown = || Reason::from(Extent::UnknownCopy);
        let Some(Value::Pointer(choices)) = pointer_in(pointer) else { return Err(unknown()) };
        let mut most = 0;
        for choice in choices.iter() {
            self.counts_in(state, &choice.target, of)?;
            let PointerTarget::Part { object, path, .. } = &choice.target else {
                return Err(unknown());
            };
            let Some((PathElement::Element(start) | PathElement::From(start), way)) =
                path.split_last()
            else {
                return Err(unknown());
            };
            let array = read(self.terms, state.object(*object)?, way)?;
            let Value::Fields(elements) = array else { return Err(unknown()) };
            let start = self.terms.as_bits(*start).unwrap_or(0);
            most = most.max((elements.len() as u128).saturating_sub(start));
        }
        Ok(most)
    }

    /// Writes one byte all over some elements that are numbers.
    pub(super) fn fill(
        &mut self,
        args: &[Value],
        of: Option<TyId>,
        state: &mut State,
    ) -> Result<(), Reason> {
        let [to, byte, count] = args else {
            return Err(UnsupportedOperation::MissingArgument.into());
        };
        let pointee = of.ok_or(PointerUse::Unknown)?;
        let Kind::Scalar(Sort::Bits(width)) = self.shapes.kind(pointee) else {
            return Err(Reinterpretation::WrittenBytes.into());
        };
        let byte = byte.scalar()?;
        let number = (1..width / 8).fold(byte, |low, _| self.terms.concat(byte, low));
        let number = match self.is_float(pointee) {
            true => floats::of_bits(self.terms, number),
            false => number,
        };
        let count = count.scalar()?;
        let most = match self.terms.as_bits(count) {
            Some(count) => count,
            None => self.room(state, to, pointee)?,
        };
        if most > u128::from(super::shape::MAX_ELEMENTS) {
            return Err(Extent::LongCopy.into());
        }
        for index in 0..most {
            let by = self.terms.bits(index, 64);
            let reached = self.terms.compare(CompareOp::Ult, by, count);
            if let Some(to) = self.element_at(state, to, index, pointee, reached)? {
                let before = state.read_choices(self.terms, &to)?;
                let value = Value::ite(self.terms, reached, &Value::Scalar(number), &before);
                state.write_choices(self.terms, &to, &value)?;
            }
        }
        Ok(())
    }

    /// Compares so many bytes of arrays of numbers: less, equal or greater by the first that differs.
    /// Of the result only the sign is promised; it is -1, 0 or 1 here.
    pub(super) fn compare_bytes(
        &mut self,
        state: &State,
        args: &[Value],
        result: Option<TyId>,
    ) -> Result<Value, Reason> {
        let [left, right, count] = args else {
            return Err(UnsupportedOperation::MissingArgument.into());
        };
        let Some(Kind::Scalar(Sort::Bits(width))) = result.map(|ty| self.shapes.kind(ty)) else {
            return Err(UnsupportedOperation::Comparison.into());
        };
        let count = count.scalar()?;
        let mut value = self.terms.bits(0, width);
        if self.terms.as_bits(count) == Some(0) {
            return Ok(Value::Scalar(value));
        }
        let left = self.bytes_from(state, left)?;
        let right = self.bytes_from(state, right)?;
        for (one, left) in &left {
            for (two, right) in &right {
                let guard = self.terms.and([*one, *two]);
                let compared = self.first_difference(left, right, count, width)?;
                value = self.terms.ite(guard, compared, value);
            }
        }
        Ok(Value::Scalar(value))
    }

    fn first_difference(
        &mut self,
        left: &[Term],
        right: &[Term],
        count: Term,
        width: u32,
    ) -> Result<Term, Reason> {
        let known = self.terms.as_bits(count);
        if known.is_some_and(|count| count > left.len().min(right.len()) as u128) {
            return Err(PointerUse::PartBeyondEnd.into());
        }
        let [less, zero, greater] = [u128::MAX, 0, 1].map(|it| self.terms.bits(it, width));
        let mut value = zero;
        for (index, (&left, &right)) in left.iter().zip(right).enumerate().rev() {
            let index = self.terms.bits(index as u128, 64);
            let reached = self.terms.compare(CompareOp::Ult, index, count);
            let equal = self.terms.eq(left, right);
            let differs = self.terms.not(equal);
            let is_less = self.terms.compare(CompareOp::Ult, left, right);
            let here = self.terms.ite(is_less, less, greater);
            let condition = self.terms.and([reached, differs]);
            value = self.terms.ite(condition, here, value);
        }
        Ok(value)
    }

    /// The bytes of an array of numbers from the element on that a pointer points to: those of each
    /// array that it may be. From an index that is not known, the last of them have no meaning.
    fn bytes_from(
        &mut self,
        state: &State,
        pointer: &Value,
    ) -> Result<Vec<(Term, Vec<Term>)>, Reason> {
        let unknown = || Reason::from(Reinterpretation::ComparedBytes);
        let Some(Value::Pointer(choices)) = pointer_in(pointer) else { return Err(unknown()) };
        let mut found = Vec::new();
        for choice in choices.iter() {
            let PointerTarget::Part { object, path, .. } = &choice.target else {
                return Err(unknown());
            };
            let (PathElement::Element(start) | PathElement::From(start), way) =
                path.split_last().ok_or_else(unknown)?
            else {
                return Err(unknown());
            };
            let array = read(self.terms, state.object(*object)?, way)?;
            let Value::Fields(all) = &array else { return Err(unknown()) };
            let elements: Vec<Value> = match self.terms.as_bits(*start) {
                Some(start) => all.iter().skip(start as usize).cloned().collect(),
                None => {
                    let later = |this: &mut Self, by| {
                        let by = this.terms.bits(by as u128, 64);
                        let index = this.terms.binary(BitsOp::Add, *start, by);
                        select(this.terms, all, index)
                    };
                    (0..all.len()).map(|by| later(self, by)).collect::<Result<_, _>>()?
                }
            };
            let mut bytes = Vec::new();
            for element in &elements {
                let Value::Scalar(term) = element else { return Err(unknown()) };
                // Floats are wider than their bytes.
                let width = match self.terms.sort(*term) {
                    Sort::Bits(width) if width % 8 == 0 => width,
                    _ => return Err(unknown()),
                };
                bytes.extend((0..width / 8).map(|byte| self.terms.extract(*term, 8 * byte, 8)));
            }
            found.push((choice.guard, bytes));
        }
        Ok(found)
    }

    /// The size of what a pointer points to.
    pub(super) fn size_of_value(
        &mut self,
        of: Option<TyId>,
        pointer: &Value,
    ) -> Result<Value, Reason> {
        let unknown = || Reason::from(UnsupportedType::UnknownSize);
        let of = of.ok_or_else(unknown)?;
        if let TypeKind::Slice(element) = self.code.program.ty(of).kind {
            let size = self.shapes.size(element).ok_or_else(unknown)?;
            let size = self.terms.bits(size.into(), 64);
            let length = self.metadata(pointer)?.scalar()?;
            return Ok(Value::Scalar(self.terms.binary(BitsOp::Mul, length, size)));
        }
        let size = self.shapes.size(of).filter(|_| !self.shapes.is_unsized(of));
        Ok(Value::Scalar(self.terms.bits(size.ok_or_else(unknown)?.into(), 64)))
    }

    pub(super) fn align_of(&mut self, of: Option<TyId>) -> Result<Value, Reason> {
        let align = of.and_then(|ty| self.shapes.align(ty));
        let align = align.ok_or(UnsupportedType::UnknownAlignment)?;
        Ok(Value::Scalar(self.terms.bits(align.into(), 64)))
    }

    fn is_float(&self, ty: TyId) -> bool {
        matches!(self.code.program.ty(ty).kind, TypeKind::Float { .. })
    }

    /// Whether two values have the same bytes: those of integers and arrays of them only.
    pub(super) fn same_bytes(
        &mut self,
        state: &State,
        args: &[Value],
        of: Option<TyId>,
    ) -> Result<Value, Reason> {
        let plain = |ty: TyId| match self.shapes.kind(ty) {
            Kind::Scalar(_) => !self.is_float(ty),
            Kind::Array(element, _) => {
                matches!(self.shapes.kind(element), Kind::Scalar(_)) && !self.is_float(element)
            }
            _ => false,
        };
        let Some(of) = of.filter(|ty| plain(*ty)) else {
            return Err(Reinterpretation::ComparedBytes.into());
        };
        let mut sides = [Vec::new(), Vec::new()];
        for (arg, flat) in args.iter().zip(&mut sides) {
            let choices = self.seen_as(state, arg, Some(of))?;
            let value = state.read_choices(self.terms, &choices)?;
            self.shapes.flatten(self.terms, state, of, &value, flat)?;
        }
        let [one, two] = sides;
        let equal: Vec<Term> =
            one.into_iter().zip(two).map(|(one, two)| self.terms.eq(one, two)).collect();
        Ok(Value::Scalar(self.terms.and(equal)))
    }

    /// How many elements lie between two pointers into one array.
    pub(super) fn distance(
        &mut self,
        state: &State,
        one: &Value,
        two: &Value,
        pointee: TyId,
    ) -> Result<Value, Reason> {
        let unknown = || Reason::from(AddressUse::Distance);
        let (Value::Pointer(one), Value::Pointer(two)) = (one, two) else { return Err(unknown()) };
        let ([one], [two]) = (&**one, &**two) else { return Err(unknown()) };
        self.counts_in(state, &one.target, pointee)?;
        let (
            PointerTarget::Part { object: in_one, path: by_one, .. },
            PointerTarget::Part { object: in_two, path: by_two, .. },
        ) = (&one.target, &two.target)
        else {
            return Err(unknown());
        };
        match (by_one.split_last(), by_two.split_last()) {
            (
                Some((PathElement::Element(one) | PathElement::From(one), way)),
                Some((PathElement::Element(two) | PathElement::From(two), other)),
            ) if way == other && in_one == in_two => {
                Ok(Value::Scalar(self.terms.binary(BitsOp::Sub, *one, *two)))
            }
            _ => Err(unknown()),
        }
    }
}

fn pointer_in(value: &Value) -> Option<&Value> {
    match value {
        Value::Pointer(_) => Some(value),
        Value::Fields(fields) if fields.len() == 1 => pointer_in(&fields[0]),
        _ => None,
    }
}
