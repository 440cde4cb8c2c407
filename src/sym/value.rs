//! Symbolic values: trees whose leaves are terms.

use std::rc::Rc;

use super::views::View;
use crate::cfa::{FnId, VTableId};
use crate::reason::{PointerUse, Reason, Reinterpretation, UnexpectedForm};
use crate::solver::{Sort, Term, Terms};

/// A value of any type. Types are not kept: whoever reads a value knows its type.
#[derive(Clone, Debug)]
pub enum Value {
    /// Booleans as such; integers, chars and floats by their bits.
    Scalar(Term),
    /// The parts of a tuple, struct, closure or array.
    Fields(Rc<[Value]>),
    /// The number of the variant, and the fields of all variants: those of the other variants have
    /// no meaning.
    Variant { tag: Term, variants: Rc<[Rc<[Value]>]> },
    /// A union that was last written through this field.
    Union { field: u32, value: Rc<Value> },
    /// The places it may point to, under conditions of which exactly one holds.
    Pointer(Rc<[Choice]>),
    /// Not written yet: to read it would be undefined behaviour, so that any value serves.
    Uninit,
    /// A value that cannot be represented, for this reason: to use it ends the path. Two of them are
    /// the same value only if they share the reason, not if they have equal ones.
    Unknown(Rc<Reason>),
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub guard: Term,
    pub target: PointerTarget,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PointerTarget {
    /// A part of an object, with the length of the slice or the methods of the trait object.
    Part {
        object: Object,
        path: Rc<[PathElement]>,
        meta: Meta,
    },
    Function(FnId),
    /// A number that is no object's address.
    Address(Term),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meta {
    None,
    Length(Term),
    VTable(VTableId),
}

/// What values live in: a local of a frame, what a parameter points to, a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object(pub u32);

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathElement {
    Field(u32),
    VariantField(u32, u32),
    /// An element of an array.
    Element(Term),
    /// The elements of an array from this one on: what a slice points to. Always the last step.
    From(Term),
    /// The same content in another form.
    View(View),
}

/// More than this many targets of one pointer are not followed.
const MAX_CHOICES: usize = 16;

impl Value {
    pub fn unit() -> Value {
        Value::Fields(Rc::from([]))
    }

    pub fn fields(fields: impl IntoIterator<Item = Value>) -> Value {
        Value::Fields(fields.into_iter().collect())
    }

    pub fn unknown(reason: impl Into<Reason>) -> Value {
        Value::Unknown(Rc::new(reason.into()))
    }

    pub fn pointer(terms: &mut Terms, target: PointerTarget) -> Value {
        Value::Pointer(Rc::from([Choice { guard: terms.bool(true), target }]))
    }

    pub fn scalar(&self) -> Result<Term, Reason> {
        match self {
            Value::Scalar(term) => Ok(*term),
            // A struct around one scalar: `repr(transparent)` wrappers seen as what they wrap.
            Value::Fields(fields) if fields.len() == 1 => fields[0].scalar(),
            Value::Unknown(reason) => Err(Reason::clone(reason)),
            Value::Uninit => Err(UnexpectedForm::Uninit.into()),
            _ => Err(UnexpectedForm::NoNumber.into()),
        }
    }

    /// Whether it is the same without looking into it.
    fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Scalar(one), Value::Scalar(two)) => one == two,
            (Value::Fields(one), Value::Fields(two)) => Rc::ptr_eq(one, two),
            (
                Value::Variant { tag: one, variants: of_one },
                Value::Variant { tag: two, variants: of_two },
            ) => one == two && Rc::ptr_eq(of_one, of_two),
            (Value::Pointer(one), Value::Pointer(two)) => Rc::ptr_eq(one, two),
            (Value::Uninit, Value::Uninit) => true,
            _ => false,
        }
    }

    /// `yes` where the condition holds, `no` elsewhere.
    pub fn ite(terms: &mut Terms, condition: Term, yes: &Value, no: &Value) -> Value {
        if yes.is_same(no) {
            return yes.clone();
        }
        match terms.as_bool(condition) {
            Some(true) => return yes.clone(),
            Some(false) => return no.clone(),
            None => {}
        }
        match (yes, no) {
            (Value::Uninit, other) | (other, Value::Uninit) => other.clone(),
            (Value::Unknown(_), _) => yes.clone(),
            (_, Value::Unknown(_)) => no.clone(),
            (Value::Scalar(one), Value::Scalar(two)) if terms.sort(*one) == terms.sort(*two) => {
                Value::Scalar(terms.ite(condition, *one, *two))
            }
            (Value::Fields(one), Value::Fields(two)) if one.len() == two.len() => {
                Value::Fields(all_ite(terms, condition, one, two))
            }
            (
                Value::Variant { tag: one, variants: of_one },
                Value::Variant { tag: two, variants: of_two },
            ) if of_one.len() == of_two.len() => {
                let tag = terms.ite(condition, *one, *two);
                let variants = of_one
                    .iter()
                    .zip(of_two.iter())
                    .map(|(one, two)| match Rc::ptr_eq(one, two) {
                        true => one.clone(),
                        false => all_ite(terms, condition, one, two),
                    })
                    .collect();
                Value::Variant { tag, variants }
            }
            (
                Value::Union { field: one, value: of_one },
                Value::Union { field: two, value: of_two },
            ) if one == two => {
                let value = Value::ite(terms, condition, of_one, of_two);
                Value::Union { field: *one, value: Rc::new(value) }
            }
            (Value::Pointer(one), Value::Pointer(two)) => pointer_ite(terms, condition, one, two),
            _ => Value::unknown(Reinterpretation::TwoForms),
        }
    }
}

fn all_ite(terms: &mut Terms, condition: Term, yes: &[Value], no: &[Value]) -> Rc<[Value]> {
    yes.iter().zip(no).map(|(yes, no)| Value::ite(terms, condition, yes, no)).collect()
}

fn pointer_ite(terms: &mut Terms, condition: Term, yes: &[Choice], no: &[Choice]) -> Value {
    let mut choices: Vec<Choice> = Vec::new();
    let otherwise = terms.not(condition);
    for (branch, from) in [(condition, yes), (otherwise, no)] {
        for choice in from {
            let guard = terms.and([branch, choice.guard]);
            if terms.as_bool(guard) == Some(false) {
                continue;
            }
            let fitting = choices.iter_mut().find_map(|known| {
                let target = unite(terms, guard, &choice.target, &known.target)?;
                Some((known, target))
            });
            match fitting {
                Some((known, target)) => {
                    known.guard = terms.or([known.guard, guard]);
                    known.target = target;
                }
                None => choices.push(Choice { guard, target: choice.target.clone() }),
            }
        }
    }
    if choices.len() > MAX_CHOICES {
        return Value::unknown(PointerUse::ManyTargets);
    }
    Value::Pointer(choices.into())
}

/// One target for two that differ in the numbers in them at most: `yes` where the condition holds.
fn unite(
    terms: &mut Terms,
    condition: Term,
    yes: &PointerTarget,
    no: &PointerTarget,
) -> Option<PointerTarget> {
    match (yes, no) {
        (
            PointerTarget::Part { object: one, path: by_one, meta: with_one },
            PointerTarget::Part { object: two, path: by_two, meta: with_two },
        ) if one == two && by_one.len() == by_two.len() => {
            let fits = by_one.iter().zip(by_two.iter()).all(|steps| match steps {
                (PathElement::Element(_), PathElement::Element(_))
                | (PathElement::From(_), PathElement::From(_)) => true,
                (one, two) => one == two,
            });
            let meta = match (*with_one, *with_two) {
                (Meta::Length(one), Meta::Length(two)) if fits => {
                    Meta::Length(terms.ite(condition, one, two))
                }
                (one, two) if one == two => one,
                _ => return None,
            };
            if !fits {
                return None;
            }
            let path = by_one
                .iter()
                .zip(by_two.iter())
                .map(|steps| match steps {
                    (PathElement::Element(one), PathElement::Element(two)) => {
                        PathElement::Element(terms.ite(condition, *one, *two))
                    }
                    (PathElement::From(one), PathElement::From(two)) => {
                        PathElement::From(terms.ite(condition, *one, *two))
                    }
                    (one, _) => *one,
                })
                .collect();
            Some(PointerTarget::Part { object: *one, path, meta })
        }
        (PointerTarget::Address(one), PointerTarget::Address(two)) => {
            Some(PointerTarget::Address(terms.ite(condition, *one, *two)))
        }
        (one, two) if one == two => Some(one.clone()),
        _ => None,
    }
}

/// The number of bits in which the numbers of so many variants are kept.
pub fn tag_width(variants: usize) -> u32 {
    variants.next_power_of_two().trailing_zeros().max(1)
}

/// The least value of a sort, which stands where a value has no meaning.
pub fn zero(terms: &mut Terms, sort: Sort) -> Option<Term> {
    match sort {
        Sort::Bool => Some(terms.bool(false)),
        Sort::Bits(width) => Some(terms.bits(0, width)),
        Sort::EffectState => None,
    }
}
