//! Reading and writing parts of values, and the state that they live in.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::path::PathCondition;
use super::value::{Choice, Meta, Object, PathElement, PointerTarget, Value};
use crate::reason::{PointerUse, Reason, Reinterpretation, UnexpectedForm};
use crate::solver::{Term, Terms};

/// What holds at a location of a run: the path that leads there and what every object contains.
#[derive(Clone, Debug)]
pub struct State {
    /// All of these hold.
    pub path: PathCondition,
    pub objects: BTreeMap<Object, Value>,
    /// What happened so far outside of the program.
    pub effect_state: Term,
}

impl State {
    /// Goes on only where the condition holds; false if that is nowhere.
    pub fn assume(&mut self, terms: &Terms, condition: Term) -> bool {
        match terms.as_bool(condition) {
            Some(holds) => holds,
            None => {
                if !self.path.contains(&condition) {
                    self.path.push(condition);
                }
                true
            }
        }
    }

    /// The state, of which only the path is left behind: where it was given away it serves to say
    /// when that was.
    pub fn take(&mut self) -> State {
        let objects = std::mem::take(&mut self.objects);
        State { path: self.path.clone(), objects, effect_state: self.effect_state }
    }

    /// Takes out the objects that none of the values leads to.
    pub fn set_aside(&mut self, values: &[Value]) -> BTreeMap<Object, Value> {
        let mut kept = BTreeMap::new();
        let mut pending: Vec<Value> = values.to_vec();
        while let Some(value) = pending.pop() {
            match value {
                Value::Fields(fields) => pending.extend(fields.iter().cloned()),
                Value::Variant { variants, .. } => {
                    pending.extend(variants.iter().flat_map(|it| it.iter()).cloned());
                }
                Value::Union { value, .. } => pending.push((*value).clone()),
                Value::Pointer(choices) => {
                    for choice in choices.iter() {
                        if let PointerTarget::Part { object, .. } = &choice.target
                            && let Some(content) = self.objects.remove(object)
                        {
                            pending.push(content.clone());
                            kept.insert(*object, content);
                        }
                    }
                }
                Value::Scalar(_) | Value::Uninit | Value::Unknown(_) => {}
            }
        }
        std::mem::replace(&mut self.objects, kept)
    }

    pub fn condition(&self, terms: &mut Terms) -> Term {
        self.path.condition(terms)
    }

    /// One state for two that came to the same location. Objects that only one of them has are those
    /// of frames that the other did not enter. None if neither can have come there.
    pub fn join(terms: &mut Terms, mut one: State, mut two: State) -> Option<State> {
        let common = one.path.iter().zip(&*two.path).take_while(|(one, two)| one == two).count();
        let of_one = terms.and(one.path[common..].iter().copied());
        let of_two = terms.and(two.path[common..].iter().copied());
        match (terms.as_bool(of_one), terms.as_bool(of_two)) {
            (Some(false), Some(false)) => return None,
            (Some(false), _) => return Some(two),
            (_, Some(false)) => return Some(one),
            _ => {}
        }
        let either = terms.or([of_one, of_two]);
        one.path.truncate(common);
        let mut two_objects = std::mem::take(&mut two.objects);
        for (object, value) in &mut one.objects {
            if let Some(other) = two_objects.remove(object) {
                *value = Value::ite(terms, of_one, value, &other);
            }
        }
        one.objects.append(&mut two_objects);
        one.effect_state = terms.ite(of_one, one.effect_state, two.effect_state);
        one.assume(terms, either).then_some(one)
    }

    pub fn join_all(terms: &mut Terms, states: Vec<State>) -> Option<State> {
        // Neighbours first: they have most of their paths in common.
        let mut states: std::collections::VecDeque<State> = states.into();
        while states.len() > 1 {
            let mut joined = std::collections::VecDeque::new();
            while let Some(one) = states.pop_front() {
                joined.extend(match states.pop_front() {
                    Some(two) => State::join(terms, one, two),
                    None => Some(one),
                });
            }
            states = joined;
        }
        states.pop_front()
    }

    pub fn object(&self, object: Object) -> Result<&Value, Reason> {
        self.objects.get(&object).ok_or_else(|| Reason::from(PointerUse::Dangling))
    }

    /// What stands at the target of a pointer.
    pub fn read_target(&self, terms: &mut Terms, target: &PointerTarget) -> Result<Value, Reason> {
        match target {
            PointerTarget::Part { object, path, .. } => read(terms, self.object(*object)?, path),
            PointerTarget::Function(_) => Err(PointerUse::CodeAsData.into()),
            PointerTarget::Address(_) => Err(PointerUse::FixedAddress.into()),
        }
    }

    /// The elements of a slice that is known to be one place and of one length.
    pub fn read_slice(&self, terms: &mut Terms, choices: &[Choice]) -> Option<Vec<Value>> {
        let [
            Choice {
                target: PointerTarget::Part { object, path, meta: Meta::Length(length) }, ..
            },
        ] = choices
        else {
            return None;
        };
        let (PathElement::From(start), way) = path.split_last()? else { return None };
        let (start, length) = (terms.as_bits(*start)?, terms.as_bits(*length)?);
        let target = PointerTarget::Part { object: *object, path: way.into(), meta: Meta::None };
        let Value::Fields(all) = self.read_target(terms, &target).ok()? else { return None };
        Some(all.get(start as usize..(start + length) as usize)?.to_vec())
    }

    pub fn read_choices(&self, terms: &mut Terms, choices: &[Choice]) -> Result<Value, Reason> {
        let mut result: Option<Value> = None;
        for choice in choices.iter().rev() {
            let value = self.read_target(terms, &choice.target)?;
            result = Some(match result {
                Some(rest) => Value::ite(terms, choice.guard, &value, &rest),
                None => value,
            });
        }
        result.ok_or_else(|| Reason::from(PointerUse::Nowhere))
    }

    pub fn write_choices(
        &mut self,
        terms: &mut Terms,
        choices: &[Choice],
        value: &Value,
    ) -> Result<(), Reason> {
        for choice in choices {
            let PointerTarget::Part { object, path, .. } = &choice.target else {
                return Err(PointerUse::WriteToNoObject.into());
            };
            let before = self.object(*object)?.clone();
            let after = write(terms, &before, path, value)?;
            let after = Value::ite(terms, choice.guard, &after, &before);
            self.objects.insert(*object, after);
        }
        Ok(())
    }
}

/// A part of a value.
pub fn read(terms: &mut Terms, value: &Value, path: &[PathElement]) -> Result<Value, Reason> {
    let Some((step, rest)) = path.split_first() else {
        return Ok(value.clone());
    };
    if let PathElement::Element(index) = step
        && terms.as_bits(*index).is_none()
        && let Value::Fields(elements) = value
    {
        let parts: Vec<Value> =
            elements.iter().map(|element| read(terms, element, rest)).collect::<Result<_, _>>()?;
        return select(terms, &parts, *index);
    }
    if let PathElement::View(view) = step {
        let seen = view.see(terms, value)?;
        return read(terms, &seen, rest);
    }
    if let PathElement::From(_) = step {
        return match rest.is_empty() {
            true => Ok(value.clone()),
            false => Err(UnexpectedForm::SlicePart.into()),
        };
    }
    read(terms, part(terms, value, *step)?, rest)
}

/// The value with a part of it replaced.
pub fn write(
    terms: &mut Terms,
    value: &Value,
    path: &[PathElement],
    new: &Value,
) -> Result<Value, Reason> {
    let Some((step, rest)) = path.split_first() else {
        return Ok(new.clone());
    };
    match (step, value) {
        (PathElement::View(view), _) => {
            let seen = match rest.is_empty() {
                true => new.clone(),
                false => {
                    let seen = view.see(terms, value)?;
                    write(terms, &seen, rest, new)?
                }
            };
            view.write_through(terms, value, &seen)
        }
        (PathElement::Element(index), Value::Fields(elements))
            if terms.as_bits(*index).is_none() =>
        {
            let width = width(terms, *index);
            let mut changed = Vec::with_capacity(elements.len());
            for (number, element) in elements.iter().enumerate() {
                let number = terms.bits(number as u128, width);
                let here = terms.eq(*index, number);
                let written = write(terms, element, rest, new)?;
                changed.push(Value::ite(terms, here, &written, element));
            }
            Ok(Value::Fields(changed.into()))
        }
        (_, Value::Fields(fields)) => {
            let number = number(terms, *step)?;
            let part = fields.get(number).ok_or_else(out_of_bounds)?;
            let written = write(terms, part, rest, new)?;
            let mut fields = fields.to_vec();
            fields[number] = written;
            Ok(Value::Fields(fields.into()))
        }
        (PathElement::VariantField(variant, field), Value::Variant { tag, variants }) => {
            let (variant, field) = (*variant as usize, *field as usize);
            let fields = variants.get(variant).ok_or_else(out_of_bounds)?;
            let part = fields.get(field).ok_or_else(out_of_bounds)?;
            let written = write(terms, part, rest, new)?;
            let mut fields = fields.to_vec();
            fields[field] = written;
            let mut variants = variants.to_vec();
            variants[variant] = fields.into();
            Ok(Value::Variant { tag: *tag, variants: variants.into() })
        }
        (PathElement::Field(field), Value::Union { field: known, value }) if field == known => {
            let value = write(terms, value, rest, new)?;
            Ok(Value::Union { field: *field, value: Rc::new(value) })
        }
        (PathElement::Field(field), Value::Union { .. }) if rest.is_empty() => {
            Ok(Value::Union { field: *field, value: Rc::new(new.clone()) })
        }
        (_, Value::Unknown(reason)) => Err(Reason::clone(reason)),
        _ => Err(UnexpectedForm::NoSuchPartToWrite.into()),
    }
}

fn part<'a>(terms: &Terms, value: &'a Value, step: PathElement) -> Result<&'a Value, Reason> {
    match (step, value) {
        (_, Value::Fields(fields)) => fields.get(number(terms, step)?).ok_or_else(out_of_bounds),
        (PathElement::VariantField(variant, field), Value::Variant { variants, .. }) => variants
            .get(variant as usize)
            .and_then(|fields| fields.get(field as usize))
            .ok_or_else(out_of_bounds),
        (PathElement::Field(field), Value::Union { field: known, value }) if field == *known => {
            Ok(value)
        }
        (_, Value::Union { .. }) => Err(Reinterpretation::Union.into()),
        (_, Value::Uninit) => Ok(&Value::Uninit),
        (_, Value::Unknown(reason)) => Err(Reason::clone(reason)),
        _ => Err(UnexpectedForm::NoSuchPart.into()),
    }
}

fn number(terms: &Terms, step: PathElement) -> Result<usize, Reason> {
    match step {
        // The only variant of an enum without a tag.
        PathElement::Field(field) | PathElement::VariantField(_, field) => Ok(field as usize),
        PathElement::Element(index) => match terms.as_bits(index) {
            Some(index) => usize::try_from(index).map_err(|_| out_of_bounds()),
            None => Err(PointerUse::UnknownIndex.into()),
        },
        PathElement::From(_) => Err(UnexpectedForm::Slice.into()),
        PathElement::View(_) => Err(Reinterpretation::Memory.into()),
    }
}

/// One of several values by its number. A number beyond the last gives any of them: the program has
/// checked it.
pub fn select(terms: &mut Terms, values: &[Value], index: Term) -> Result<Value, Reason> {
    let width = width(terms, index);
    if values.is_empty() {
        return Err(out_of_bounds());
    }
    let mut level: Vec<Value> = values.to_vec();
    let mut bit = 0;
    while level.len() > 1 {
        if bit == width {
            return Err(out_of_bounds());
        }
        let this = terms.extract(index, bit, 1);
        let one = terms.bits(1, 1);
        let odd = terms.eq(this, one);
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [even, other] => Value::ite(terms, odd, other, even),
                _ => pair[0].clone(),
            })
            .collect();
        bit += 1;
    }
    Ok(level.swap_remove(0))
}

fn width(terms: &Terms, term: Term) -> u32 {
    match terms.sort(term) {
        crate::solver::Sort::Bits(width) => width,
        _ => 1,
    }
}

fn out_of_bounds() -> Reason {
    PointerUse::PartBeyondEnd.into()
}
