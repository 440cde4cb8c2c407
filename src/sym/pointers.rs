//! What operations on pointers mean: arithmetic, comparison, casts.

use super::execute::Executor;
use super::memory::State;
use super::shape::Kind;
use super::value::{Choice, Meta, PathElement, PointerTarget, Value};
use super::views::{FieldPath, View};
use crate::cfa::{BinaryOp, PointerMeta, TyId, TypeKind};
use crate::reason::{AddressUse, Extent, PointerUse, Reason};
use crate::solver::{BitsOp, CompareOp, Sort, Term};

impl Executor<'_, '_> {
    pub(super) fn metadata(&mut self, value: &Value) -> Result<Value, Reason> {
        let Value::Pointer(choices) = value else {
            return Err(Extent::UnknownSlice.into());
        };
        let mut result: Option<Value> = None;
        for choice in choices.iter().rev() {
            let length = match &choice.target {
                PointerTarget::Part { meta: Meta::Length(length), .. } => Value::Scalar(*length),
                PointerTarget::Part { meta: Meta::None, .. } => Value::unit(),
                _ => return Err(Extent::UnknownSlice.into()),
            };
            result = Some(match result {
                Some(rest) => Value::ite(self.terms, choice.guard, &length, &rest),
                None => length,
            });
        }
        result.ok_or_else(|| Reason::from(PointerUse::Nowhere))
    }

    /// Refuses pointers into an array whose elements are not of the type that they are counted in:
    /// the object is counted in its own elements here.
    pub(super) fn counts_in(
        &mut self,
        state: &State,
        target: &PointerTarget,
        pointee: TyId,
    ) -> Result<(), Reason> {
        let other = || Reason::from(PointerUse::OtherUnits);
        let PointerTarget::Part { object, path, .. } = target else { return Ok(()) };
        let Some((PathElement::Element(_) | PathElement::From(_), way)) = path.split_last() else {
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
            return Err(PointerUse::Unknown.into());
        };
        let by = match self.terms.sort(by) {
            Sort::Bits(64) => by,
            _ => return Err(PointerUse::OffsetByNoNumber.into()),
        };
        if self.terms.as_bits(by) == Some(0) {
            return Ok(pointer.clone());
        }
        let mut moved = choices.to_vec();
        for choice in &mut moved {
            self.counts_in(state, &choice.target, pointee)?;
            let PointerTarget::Part { path, .. } = &mut choice.target else {
                return Err(PointerUse::OffsetOfNoObject.into());
            };
            let mut steps = path.to_vec();
            match steps.pop() {
                Some(PathElement::Element(index)) => {
                    steps.push(PathElement::Element(self.terms.binary(BitsOp::Add, index, by)));
                }
                Some(PathElement::From(index)) => {
                    steps.push(PathElement::From(self.terms.binary(BitsOp::Add, index, by)));
                }
                _ => return Err(PointerUse::OffsetOfNoArray.into()),
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
        let unknown = || Reason::from(AddressUse::Compared);
        let ([one], [two]) = (one, two) else { return Err(unknown()) };
        // Of fat pointers the length counts too.
        let lengths = match (&one.target, &two.target) {
            (
                PointerTarget::Part { meta: Meta::Length(one), .. },
                PointerTarget::Part { meta: Meta::Length(two), .. },
            ) => Some((*one, *two)),
            (
                PointerTarget::Part { meta: Meta::None, .. } | PointerTarget::Address(_),
                PointerTarget::Part { meta: Meta::None, .. } | PointerTarget::Address(_),
            ) => None,
            _ => return Err(unknown()),
        };
        if lengths.is_some() && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return Err(unknown());
        }
        let (left, right) = match (&one.target, &two.target) {
            (PointerTarget::Address(one), PointerTarget::Address(two)) => (*one, *two),
            (
                PointerTarget::Part { object: in_one, path: by_one, .. },
                PointerTarget::Part { object: in_two, path: by_two, .. },
            ) if in_one == in_two => match (by_one.split_last(), by_two.split_last()) {
                (
                    Some((PathElement::Element(left) | PathElement::From(left), way)),
                    Some((PathElement::Element(right) | PathElement::From(right), other)),
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

    pub(super) fn pointee(&self, ty: Option<TyId>) -> Option<TyId> {
        match self.code.program.ty(ty?).kind {
            TypeKind::Reference { to, .. } | TypeKind::RawPointer { to, .. } => Some(to),
            _ => None,
        }
    }

    pub(super) fn cast_pointer(
        &mut self,
        value: Value,
        from: Option<TyId>,
        to: TyId,
    ) -> Result<Value, Reason> {
        let Value::Pointer(choices) = &value else { return Ok(value) };
        let (Some(from), Some(to)) = (self.pointee(from), self.pointee(Some(to))) else {
            return Ok(value);
        };
        let to_is_unsized = self.shapes.is_unsized(to);
        if to_is_unsized {
            return Ok(self.cast_slice(choices, from, to).unwrap_or(value));
        }
        let array = self.array_within(from, to);
        let element = match self.code.program.ty(from).kind {
            TypeKind::Slice(element) => element,
            _ => from,
        };
        let inside = self.inside(element, to);
        let mut changed = choices.to_vec();
        for choice in &mut changed {
            let PointerTarget::Part { path, meta, .. } = &mut choice.target else { continue };
            *meta = Meta::None;
            *path = match (&array, path.split_last(), &inside) {
                // From an array to its first element.
                (Some(steps), _, _) => {
                    let start = PathElement::Element(self.terms.bits(0, 64));
                    path.iter().chain(steps).copied().chain([start]).collect()
                }
                // From a slice to its first element, or from an element to what it wraps.
                (
                    _,
                    Some((PathElement::From(start) | PathElement::Element(start), way)),
                    Some(inside),
                ) => way
                    .iter()
                    .chain(inside)
                    .copied()
                    .chain([PathElement::Element(*start)])
                    .collect(),
                (_, Some((PathElement::From(start), way)), None) => {
                    way.iter().copied().chain([PathElement::Element(*start)]).collect()
                }
                _ => continue,
            };
        }
        Ok(Value::Pointer(changed.into()))
    }

    /// A pointer to a slice as one to a slice of what its elements wrap. None for any other cast.
    fn cast_slice(&mut self, choices: &[Choice], from: TyId, to: TyId) -> Option<Value> {
        let types = [from, to].map(|ty| match self.code.program.ty(ty).kind {
            TypeKind::Slice(element) => Some(element),
            _ => None,
        });
        let [Some(from), Some(to)] = types else { return None };
        let inside = self.inside(from, to)??;
        let mut changed = choices.to_vec();
        for choice in &mut changed {
            let PointerTarget::Part { path, .. } = &mut choice.target else { return None };
            let (PathElement::From(start), way) = path.split_last()? else { return None };
            *path = way.iter().copied().chain([inside, PathElement::From(*start)]).collect();
        }
        Some(Value::Pointer(changed.into()))
    }

    /// The way from a value to the array that is its only content, seen as one of elements of the
    /// other type: these have the same size.
    fn array_within(&self, from: TyId, to: TyId) -> Option<Vec<PathElement>> {
        let mut steps = Vec::new();
        let mut ty = from;
        let element = loop {
            match self.shapes.kind(ty) {
                Kind::Array(element, _) => break element,
                _ => {
                    let (field, part) = self.shapes.only_content(ty)?;
                    steps.push(PathElement::Field(field));
                    ty = part;
                }
            }
        };
        steps.extend(self.inside(element, to)?);
        Some(steps)
    }

    /// What makes an array of one type one of another type, which is the only content of the first
    /// and as large.
    fn inside(&self, element: TyId, to: TyId) -> Option<Option<PathElement>> {
        let (mut inside, mut ty) = (Vec::new(), element);
        while !self.same_kind(ty, to) {
            let (field, part) = self.shapes.only_content(ty)?;
            inside.push(PathElement::Field(field));
            ty = part;
        }
        if self.shapes.size(element)? != self.shapes.size(to)? {
            return None;
        }
        match inside.is_empty() {
            true => Some(None),
            false => Some(Some(PathElement::View(View::Inside(FieldPath::new(&inside)?)))),
        }
    }

    pub(super) fn same_kind(&self, one: TyId, two: TyId) -> bool {
        self.code.program.ty(one).name == self.code.program.ty(two).name
    }

    pub(super) fn unsize(
        &mut self,
        value: Value,
        meta: Option<PointerMeta>,
        from: Option<TyId>,
    ) -> Result<Value, Reason> {
        // A pointer to a struct that ends in a slice points to the struct as such.
        let of_array = self.pointee(from).is_some_and(|ty| self.shapes.length(ty).is_some());
        let (Value::Pointer(choices), Some(meta)) = (&value, meta) else {
            return Err(Extent::UnknownPointee.into());
        };
        let mut changed = choices.to_vec();
        for choice in &mut changed {
            let PointerTarget::Part { path, meta: known, .. } = &mut choice.target else {
                return Err(Extent::UnknownPointee.into());
            };
            *known = match meta {
                PointerMeta::Length(length) if !of_array => {
                    Meta::Length(self.terms.bits(length.into(), 64))
                }
                PointerMeta::Length(length) => {
                    let start = self.terms.bits(0, 64);
                    *path = path.iter().copied().chain([PathElement::From(start)]).collect();
                    Meta::Length(self.terms.bits(length.into(), 64))
                }
                PointerMeta::VTable(id) => Meta::VTable(id),
            };
        }
        Ok(Value::Pointer(changed.into()))
    }

    /// A pointer to an element as one to a slice that begins there.
    pub(super) fn with_length(
        &mut self,
        state: &State,
        choice: &Choice,
        length: Term,
    ) -> Result<Choice, Reason> {
        let mut choice = choice.clone();
        let PointerTarget::Part { object, path, meta } = &mut choice.target else {
            return Ok(choice);
        };
        let (mut steps, mut start) = match path.split_last() {
            Some((PathElement::Element(start) | PathElement::From(start), way)) => {
                (way.to_vec(), *start)
            }
            // A value that is no element is an array of one.
            _ => {
                let whole = path.iter().copied().chain([PathElement::View(View::Sole)]);
                (whole.collect(), self.terms.bits(0, 64))
            }
        };
        // Beyond the end of an array the elements of the next one follow, if it lies in an array.
        if let Some((PathElement::Element(outer), way)) = steps.split_last()
            && let (Some(first), Some(outer), Some(count)) =
                (self.terms.as_bits(start), self.terms.as_bits(*outer), self.terms.as_bits(length))
            && let Value::Fields(elements) =
                super::memory::read(self.terms, state.object(*object)?, &steps)?
            && first.saturating_add(count) > elements.len() as u128
        {
            let inner = elements.len() as u64;
            start = self.terms.bits(outer * u128::from(inner) + first, 64);
            let flat = PathElement::View(View::Flat { length: inner });
            steps = way.iter().copied().chain([flat]).collect();
        }
        steps.push(PathElement::From(start));
        *path = steps.into();
        *meta = Meta::Length(length);
        Ok(choice)
    }
}

fn has_content(value: &Value) -> bool {
    match value {
        Value::Fields(fields) => fields.iter().any(has_content),
        _ => true,
    }
}
