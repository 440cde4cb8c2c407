//! Which objects and parts a place of the program can be.

use std::rc::Rc;

use super::execute::{Executor, Frame, IncompletePath};
use super::memory::State;
use super::shape::Kind;
use super::value::{Choice, Meta, Object, PathElement, PointerTarget, Value};
use super::views::View;
use crate::cfa::{Place, Projection, TyId, TypeKind};
use crate::reason::{Extent, PointerUse, Reason, Reinterpretation};
use crate::solver::{BitsOp, CompareOp, Term};

impl Executor<'_, '_> {
    pub(super) fn place_type(&self, frame: &Frame, place: &Place) -> Option<TyId> {
        self.code.program.place_type(&frame.ready.locals, place.local, &place.projections)
    }

    /// The objects and parts that a place can be.
    pub(super) fn resolve(
        &mut self,
        frame: &Frame,
        state: &State,
        place: &Place,
    ) -> Result<Vec<Choice>, Reason> {
        let start = PointerTarget::Part {
            object: frame.object(place.local),
            path: Rc::from([]),
            meta: Meta::None,
        };
        let mut choices = vec![Choice { guard: self.terms.bool(true), target: start }];
        let mut variant = None;
        for (index, projection) in place.projections.iter().enumerate() {
            let ty = self.code.program.place_type(
                &frame.ready.locals,
                place.local,
                &place.projections[..index],
            );
            match projection {
                Projection::Variant(number) => {
                    variant = Some(*number);
                    continue;
                }
                Projection::Cast(_) => continue,
                Projection::Deref => choices = self.deref(state, choices, ty)?,
                Projection::Field(field) => {
                    let is_enum = ty.is_some_and(|ty| {
                        matches!(self.code.program.ty(ty).kind, TypeKind::Enum(_))
                    });
                    let step = match variant {
                        Some(variant) if is_enum => PathElement::VariantField(variant, *field),
                        _ => PathElement::Field(*field),
                    };
                    extend(&mut choices, &mut |_| Ok(step))?;
                    let part = self.code.program.place_type(
                        &frame.ready.locals,
                        place.local,
                        &place.projections[..=index],
                    );
                    self.part_of_unsized(&mut choices, part);
                }
                Projection::Index(local) => {
                    let index = state.object(frame.object(*local))?.scalar()?;
                    self.element(&mut choices, index)?;
                }
                Projection::ConstantIndex { offset, from_end } => {
                    let offset = self.terms.bits((*offset).into(), 64);
                    for choice in &mut choices {
                        let index = match from_end {
                            false => offset,
                            true => {
                                let length = self.length_of(&choice.target, ty)?;
                                self.terms.binary(BitsOp::Sub, length, offset)
                            }
                        };
                        self.element(std::slice::from_mut(choice), index)?;
                    }
                }
                Projection::Subslice { from, to, from_end } => {
                    for choice in &mut choices {
                        self.subslice(choice, ty, *from, *to, *from_end)?;
                    }
                }
            }
            variant = None;
        }
        for choice in &choices {
            self.check_bounds(state, choice)?;
        }
        Ok(choices)
    }

    /// Ends the paths on which an index that is not known is beyond the elements that are there: what
    /// is read or written then is not among them. The program's own check rules most of them out.
    pub(super) fn check_bounds(&mut self, state: &State, choice: &Choice) -> Result<(), Reason> {
        let PointerTarget::Part { object, path, .. } = &choice.target else { return Ok(()) };
        for (at, step) in path.iter().enumerate() {
            let (index, taken) = match *step {
                PathElement::Element(index) => (index, 1),
                PathElement::View(View::Window { start, length }) => (start, u128::from(length)),
                _ => continue,
            };
            if self.terms.as_bits(index).is_some() || taken == 0 {
                continue;
            }
            let array = super::memory::read(self.terms, state.object(*object)?, &path[..at])?;
            let Value::Fields(elements) = array else { continue };
            let length = (elements.len() as u128 + 1).saturating_sub(taken);
            let length = self.terms.bits(length, self.terms.width(index));
            let inside = self.terms.compare(CompareOp::Ult, index, length);
            let outside = self.terms.not(inside);
            let path = state.path.iter().copied().chain([choice.guard, outside]);
            let condition = self.terms.and(path);
            if self.terms.as_bool(condition) != Some(false) {
                let (function, span) = self.at;
                let reason = PointerUse::IndexBeyondEnd.into();
                self.incomplete.push(IncompletePath {
                    condition,
                    reason,
                    function,
                    span,
                    bounded: false,
                });
            }
        }
        Ok(())
    }

    fn deref(
        &mut self,
        state: &State,
        choices: Vec<Choice>,
        ty: Option<TyId>,
    ) -> Result<Vec<Choice>, Reason> {
        let value = state.read_choices(self.terms, &choices)?;
        let pointer = match value {
            Value::Pointer(pointer) => pointer,
            Value::Unknown(reason) => return Err(Reason::clone(&reason)),
            _ => return Err(PointerUse::Unknown.into()),
        };
        let kind = ty.map(|ty| &self.code.program.ty(ty).kind);
        let mut found = pointer.to_vec();
        if let Some(TypeKind::RawPointer { to, .. }) = kind {
            let is_thin = !self.shapes.is_unsized(*to);
            for choice in found.iter_mut().filter(|_| is_thin) {
                self.see_as(state, &mut choice.target, *to)?;
            }
        }
        Ok(found)
    }

    /// Makes a raw pointer point to a part of its object that has the form of the type it is read as.
    pub(super) fn see_as(
        &mut self,
        state: &State,
        target: &mut PointerTarget,
        ty: TyId,
    ) -> Result<(), Reason> {
        if self.code.program.is_zero_sized(ty) {
            return Ok(());
        }
        let value = state.read_target(self.terms, target)?;
        let steps = self.shapes.descend(self.terms, ty, &value);
        let steps = steps.or_else(|| self.shapes.ascend(self.terms, ty, &value));
        let PointerTarget::Part { object, path, .. } = target else { return Ok(()) };
        match steps {
            Some(steps) if steps.is_empty() => {}
            Some(steps) => *path = path.iter().copied().chain(steps).collect(),
            None => *path = self.window(state, *object, path, ty)?,
        }
        Ok(())
    }

    /// The way to the elements from the one that a path leads to, as many as an array type has.
    fn window(
        &mut self,
        state: &State,
        object: Object,
        path: &[PathElement],
        ty: TyId,
    ) -> Result<Rc<[PathElement]>, Reason> {
        let other = || Reason::from(Reinterpretation::Memory);
        let (Kind::Array(element, length), Some((PathElement::Element(start), way))) =
            (self.shapes.kind(ty), path.split_last())
        else {
            return Err(other());
        };
        let array = super::memory::read(self.terms, state.object(object)?, way)?;
        match &array {
            Value::Fields(elements)
                if elements.iter().all(|it| self.shapes.conforms(self.terms, element, it)) =>
            {
                let window = PathElement::View(View::Window { start: *start, length });
                Ok(way.iter().copied().chain([window]).collect())
            }
            _ => Err(other()),
        }
    }

    /// Gives the part of a struct that ends in a slice the length if it is that slice, or ends in it.
    fn part_of_unsized(&mut self, choices: &mut [Choice], part: Option<TyId>) {
        for choice in choices {
            let PointerTarget::Part { path, meta, .. } = &mut choice.target else { continue };
            if *meta == Meta::None {
                continue;
            }
            match part.map(|part| &self.code.program.ty(part).kind) {
                Some(TypeKind::Slice(_) | TypeKind::Str) => {
                    let start = self.terms.bits(0, 64);
                    *path = path.iter().copied().chain([PathElement::From(start)]).collect();
                }
                Some(_) if part.is_some_and(|part| self.shapes.is_unsized(part)) => {}
                _ => *meta = Meta::None,
            }
        }
    }

    /// Goes from arrays and slices to one of their elements.
    pub(super) fn element(&mut self, choices: &mut [Choice], index: Term) -> Result<(), Reason> {
        for choice in choices {
            let PointerTarget::Part { path, meta, .. } = &mut choice.target else {
                return Err(PointerUse::ElementOfNoArray.into());
            };
            let mut steps = path.to_vec();
            let step = match steps.last() {
                Some(PathElement::From(start)) => {
                    let start = *start;
                    steps.pop();
                    PathElement::Element(self.terms.binary(BitsOp::Add, start, index))
                }
                _ => PathElement::Element(index),
            };
            steps.push(step);
            *path = steps.into();
            *meta = Meta::None;
        }
        Ok(())
    }

    fn length_of(&mut self, target: &PointerTarget, ty: Option<TyId>) -> Result<Term, Reason> {
        match (target, ty.and_then(|ty| self.shapes.length(ty))) {
            (_, Some(length)) => Ok(self.terms.bits(length.into(), 64)),
            (PointerTarget::Part { meta: Meta::Length(length), .. }, _) => Ok(*length),
            _ => Err(Extent::UnknownSlice.into()),
        }
    }

    fn subslice(
        &mut self,
        choice: &mut Choice,
        ty: Option<TyId>,
        from: u64,
        to: u64,
        from_end: bool,
    ) -> Result<(), Reason> {
        if let Some(length) = ty.and_then(|ty| self.shapes.length(ty)) {
            let PointerTarget::Part { path, .. } = &mut choice.target else {
                return Err(PointerUse::PartOfNoObject.into());
            };
            let end = if from_end { length - to } else { to };
            let start = self.terms.bits(from.into(), 64);
            let window = View::Window { start, length: end - from };
            *path = path.iter().copied().chain([PathElement::View(window)]).collect();
            return Ok(());
        }
        let length = self.length_of(&choice.target, ty)?;
        let PointerTarget::Part { path, meta, .. } = &mut choice.target else {
            return Err(PointerUse::PartOfNoSlice.into());
        };
        let mut steps = path.to_vec();
        let Some(PathElement::From(start)) = steps.pop() else {
            return Err(PointerUse::PartOfNoSlice.into());
        };
        let from_term = self.terms.bits(from.into(), 64);
        let start = self.terms.binary(BitsOp::Add, start, from_term);
        steps.push(PathElement::From(start));
        *path = steps.into();
        let new = match from_end {
            true => {
                let cut = self.terms.bits((from + to).into(), 64);
                self.terms.binary(BitsOp::Sub, length, cut)
            }
            false => self.terms.bits((to - from).into(), 64),
        };
        *meta = Meta::Length(new);
        Ok(())
    }
}

fn extend(
    choices: &mut [Choice],
    step: &mut dyn FnMut(&PointerTarget) -> Result<PathElement, Reason>,
) -> Result<(), Reason> {
    for choice in choices {
        let step = step(&choice.target)?;
        let PointerTarget::Part { path, .. } = &mut choice.target else {
            return Err(PointerUse::PartOfNoObject.into());
        };
        *path = path.iter().copied().chain([step]).collect();
    }
    Ok(())
}
