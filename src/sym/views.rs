//! Values seen in another form than the one that they were written in.
//!
//! Unsafe code, std's most of all, casts pointers between types that have the same content in the
//! same bytes: a wrapper and what it wraps, an array and a part of it. Each such cast is a step of a
//! path here, which reading goes along and writing goes back.

use std::rc::Rc;

use super::memory::{read, select, write};
use super::value::{PathElement, Value};
use crate::reason::{PointerUse, Reason, Reinterpretation};
use crate::solver::{BitsOp, Term, Terms};

/// A form that has the same content as another one. It is exact in both directions, or refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// A value as the only element of an array.
    Sole,
    /// A value as a part of a struct of so many, of which no other has content.
    Wrapped { field: u32, of: u32 },
    /// A value as a field of a union.
    United { field: u32 },
    /// The elements of an array as a part of each, the only one with content.
    Inside(FieldPath),
    /// An array of arrays of this length as one array of the elements of all.
    Flat { length: u64 },
    /// So many elements of an array, from this one on, as an array.
    Window { start: Term, length: u64 },
}

/// A few fields, one inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPath {
    fields: [u8; FieldPath::LONGEST],
    length: u8,
}

impl FieldPath {
    const LONGEST: usize = 7;

    /// None for steps that are no fields, or too many of them.
    pub fn new(steps: &[PathElement]) -> Option<FieldPath> {
        let mut way = FieldPath { fields: [0; FieldPath::LONGEST], length: steps.len() as u8 };
        for (index, step) in steps.iter().enumerate() {
            let PathElement::Field(field) = step else { return None };
            *way.fields.get_mut(index)? = u8::try_from(*field).ok()?;
        }
        Some(way)
    }

    fn steps(&self) -> Vec<PathElement> {
        let fields = &self.fields[..usize::from(self.length)];
        fields.iter().map(|field| PathElement::Field((*field).into())).collect()
    }
}

impl View {
    /// The value in this form.
    pub fn see(self, terms: &mut Terms, value: &Value) -> Result<Value, Reason> {
        match (self, value) {
            (_, Value::Unknown(reason)) => Err(Reason::clone(reason)),
            (View::Sole, _) => Ok(Value::fields([value.clone()])),
            (View::Wrapped { field, of }, _) => {
                let part = |number| if number == field { value.clone() } else { Value::unit() };
                Ok(Value::fields((0..of).map(part)))
            }
            (View::United { field }, _) => {
                Ok(Value::Union { field, value: Rc::new(value.clone()) })
            }
            (View::Inside(way), Value::Fields(elements)) => {
                let steps = way.steps();
                let parts = elements.iter().map(|it| read(terms, it, &steps));
                Ok(Value::Fields(parts.collect::<Result<_, _>>()?))
            }
            (View::Flat { length }, Value::Fields(arrays)) => {
                let mut all = Vec::new();
                for array in arrays.iter() {
                    match array {
                        Value::Fields(elements) if elements.len() as u64 == length => {
                            all.extend(elements.iter().cloned());
                        }
                        _ => return Err(other_form()),
                    }
                }
                Ok(Value::fields(all))
            }
            (View::Window { start, length }, Value::Fields(elements)) => {
                let mut window = Vec::new();
                for number in 0..length {
                    let index = later(terms, start, number);
                    window.push(match terms.as_bits(index) {
                        Some(index) => elements.get(index as usize).cloned().ok_or_else(beyond)?,
                        None => select(terms, elements, index)?,
                    });
                }
                Ok(Value::fields(window))
            }
            _ => Err(other_form()),
        }
    }

    /// The value that has this form after its part was written, from what it was before.
    pub fn write_through(
        self,
        terms: &mut Terms,
        before: &Value,
        seen: &Value,
    ) -> Result<Value, Reason> {
        match (self, seen) {
            (_, Value::Unknown(reason)) => Err(Reason::clone(reason)),
            (View::Sole, Value::Fields(parts)) if parts.len() == 1 => Ok(parts[0].clone()),
            (View::Wrapped { field, of }, Value::Fields(parts)) if parts.len() == of as usize => {
                Ok(parts[field as usize].clone())
            }
            (View::United { field }, Value::Union { field: written, value })
                if field == *written =>
            {
                Ok((**value).clone())
            }
            (View::Sole | View::Wrapped { .. } | View::United { .. }, Value::Uninit) => {
                Ok(Value::Uninit)
            }
            (View::Inside(way), Value::Fields(parts)) => {
                let Value::Fields(elements) = before else { return Err(other_form()) };
                if parts.len() != elements.len() {
                    return Err(other_form());
                }
                let steps = way.steps();
                let written = elements.iter().zip(parts.iter());
                let written = written.map(|(element, part)| write(terms, element, &steps, part));
                Ok(Value::Fields(written.collect::<Result<_, _>>()?))
            }
            (View::Flat { length }, Value::Fields(elements)) if length > 0 => {
                let arrays = elements.chunks(length as usize);
                Ok(Value::fields(arrays.map(|it| Value::fields(it.iter().cloned()))))
            }
            (View::Window { start, length }, Value::Fields(parts))
                if parts.len() as u64 == length =>
            {
                let mut value = before.clone();
                for (number, part) in parts.iter().enumerate() {
                    let index = later(terms, start, number as u64);
                    value = write(terms, &value, &[PathElement::Element(index)], part)?;
                }
                Ok(value)
            }
            _ => Err(other_form()),
        }
    }
}

fn later(terms: &mut Terms, start: Term, by: u64) -> Term {
    let by = terms.bits(by.into(), terms.width(start));
    terms.binary(BitsOp::Add, start, by)
}

fn other_form() -> Reason {
    Reinterpretation::Memory.into()
}

fn beyond() -> Reason {
    PointerUse::PartBeyondEnd.into()
}
