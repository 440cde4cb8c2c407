//! The leaves of types: their scalars and the tags of their enums, also behind references, in the one
//! order that the inputs of engines and of native runs have.
//!
//! [`Shapes::walk`] is the only code that knows the order. [`Shapes::any`] makes leaves, [`Shapes::flatten`]
//! finds them in a value.

use std::rc::Rc;

use super::floats;
use super::memory::State;
use super::shape::{Kind, MAX_DEPTH, MAX_ELEMENTS, Shapes};
use super::value::{Meta, Object, PointerTarget, Value, tag_width, zero};
use crate::cfa::{Program, TyId, Type, TypeKind};
use crate::reason::{Extent, PointerUse, Reason, ReferenceUse, Reinterpretation, UnsupportedType};
use crate::solver::{CompareOp, Sort, Term, Terms};

/// What is done with the parts of a type, on the way from the whole to the leaves and back. A reason
/// ends the walk.
pub trait LeafWalk {
    /// What is known of a part on the way to it, such as its value.
    type Given;
    /// What is made of the tag of an enum.
    type Tag;
    /// What is made of a part.
    type Made;

    /// Comes to a part, before anything in it.
    fn enter(&mut self, _: TyId, _: &Kind<'_>, _: &Self::Given) -> Result<(), Reason> {
        Ok(())
    }

    fn scalar(&mut self, ty: TyId, sort: Sort, given: &Self::Given) -> Result<Self::Made, Reason>;

    /// Comes to an enum's tag, which stands before the fields of all its variants.
    fn tag(&mut self, variants: &[Fields], given: &Self::Given) -> Result<Self::Tag, Reason>;

    fn descend(
        &mut self,
        given: &Self::Given,
        to: Descent<'_, Self::Tag>,
    ) -> Result<Self::Given, Reason>;

    /// Comes back to a part that is no scalar, after everything in it.
    fn ascend(
        &mut self,
        ty: TyId,
        whole: Whole<Self::Made, Self::Tag>,
    ) -> Result<Self::Made, Reason>;

    /// Comes to a part that is not taken apart.
    fn refuse(&mut self, reason: Reason) -> Result<Self::Made, Reason> {
        Err(reason)
    }
}

/// The types of the fields of a variant; none where no value of the type exists, so that there are no
/// leaves of the field.
pub type Fields = Vec<Option<TyId>>;

/// From a part to one inside of it.
pub enum Descent<'d, Tag> {
    /// The field or element of this number; after a [`Descent::Variant`], the field of that variant.
    Part(usize),
    /// All fields of a variant, which may be another one than the value is.
    Variant { tag: &'d Tag, number: usize, fields: &'d [Option<TyId>] },
    /// What a reference points to.
    Pointee,
}

/// A part by what was made of those inside of it.
pub enum Whole<Made, Tag> {
    /// A struct, tuple, closure or array.
    Fields(Vec<Made>),
    /// An enum, with the [`Fields`] of each variant.
    Variants {
        tag: Tag,
        variants: Vec<Vec<Option<Made>>>,
    },
    Reference {
        to: TyId,
        mutable: bool,
        target: Made,
    },
}

/// What a leaf can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An integer of so many bits.
    Bits(u32),
    Bool,
    Char,
    /// A float of so many bits.
    Float(u32),
    /// The number of a variant, of so many.
    Tag(u32),
}

/// Makes the leaves of a value: a term of the sort that is asked for.
pub type Leaves<'l> = &'l mut dyn FnMut(&mut Terms, Sort) -> Term;

/// Where any value is made, and what has to hold for it to be one.
pub struct Making<'l> {
    pub leaves: Leaves<'l>,
    /// What the type promises of the leaves.
    pub facts: Vec<Term>,
    /// What references point to is put here; without it, a value with references cannot be made.
    pub objects: Option<&'l mut Vec<(Object, Value, TyId)>>,
    pub next_object: u32,
    pub floats: NanBits,
}

/// Which NaNs there can be among the floats of any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanBits {
    /// Only such as have bits: their leaves are as wide as the floats.
    WithBits,
    /// Those too whose bits are not specified: the leaves are as in values.
    All,
}

impl Shapes<'_> {
    /// Walks through a type, each part before the next one. Types that contain themselves are not
    /// opened up deeper than values are.
    pub fn walk<W: LeafWalk>(
        &self,
        ty: TyId,
        given: W::Given,
        walk: &mut W,
    ) -> Result<W::Made, Reason> {
        self.walk_within(ty, &given, walk, MAX_DEPTH)
    }

    fn walk_within<W: LeafWalk>(
        &self,
        ty: TyId,
        given: &W::Given,
        walk: &mut W,
        depth: u32,
    ) -> Result<W::Made, Reason> {
        let Some(depth) = depth.checked_sub(1) else {
            return walk.refuse(UnsupportedType::Recursive.into());
        };
        let part = |walk: &mut W, given: &W::Given, number: usize, ty: TyId| {
            let given = walk.descend(given, Descent::Part(number))?;
            self.walk_within(ty, &given, walk, depth)
        };
        let kind = self.kind(ty);
        walk.enter(ty, &kind, given)?;
        let whole = match kind {
            Kind::Scalar(sort) => return walk.scalar(ty, sort, given),
            Kind::Fields(types) => {
                let parts = (0..).zip(types).map(|(number, it)| part(walk, given, number, it));
                Whole::Fields(parts.collect::<Result<_, _>>()?)
            }
            Kind::Array(element, length) => {
                let parts = (0..length as usize).map(|number| part(walk, given, number, element));
                Whole::Fields(parts.collect::<Result<_, _>>()?)
            }
            Kind::Variants(variants) => {
                let field = |ty: TyId| (!self.is_empty(ty, depth)).then_some(ty);
                let variants: Vec<Fields> = variants
                    .iter()
                    .map(|variant| variant.fields.iter().map(|it| field(it.ty)).collect())
                    .collect();
                let tag = walk.tag(&variants, given)?;
                let mut all = Vec::new();
                for (number, fields) in variants.iter().enumerate() {
                    let given =
                        walk.descend(given, Descent::Variant { tag: &tag, number, fields })?;
                    let fields = fields.iter().enumerate().map(|(number, it)| {
                        it.map(|ty| part(walk, &given, number, ty)).transpose()
                    });
                    all.push(fields.collect::<Result<_, _>>()?);
                }
                Whole::Variants { tag, variants: all }
            }
            Kind::Reference { to, mutable } => {
                let target = walk.descend(given, Descent::Pointee)?;
                let target = self.walk_within(to, &target, walk, depth)?;
                Whole::Reference { to, mutable, target }
            }
            Kind::Other(_) => return walk.refuse(self.refusal(ty)),
        };
        walk.ascend(ty, whole)
    }

    /// What the leaves of a type can be, in their order. What is not taken apart has none: no value of
    /// it is made either.
    pub fn leaves(&self, ty: TyId) -> Vec<Leaf> {
        let mut list = LeafList { program: self.program, leaves: Vec::new() };
        self.walk(ty, (), &mut list).expect("nothing is refused");
        list.leaves
    }

    /// Any value of a type. Errs by admitting more values than the type has; what is behind a
    /// reference is an object of its own, as Rust's rules on aliasing promise for references that
    /// are not derived from one another.
    pub fn any(&self, terms: &mut Terms, ty: TyId, making: &mut Making) -> Result<Value, Reason> {
        self.walk(ty, None, &mut AnyValue { shapes: self, terms, making })
    }

    /// The terms of a value in the order in which [`Shapes::any`] asks for them, what references
    /// point to included; fields of variants that are not there are zero.
    pub fn flatten(
        &self,
        terms: &mut Terms,
        state: &State,
        ty: TyId,
        value: &Value,
        into: &mut Vec<Term>,
    ) -> Result<(), Reason> {
        let given = Present { value: value.clone(), only_if: None };
        self.walk(ty, given, &mut Flattening { shapes: self, terms, state, into })
    }
}

struct LeafList<'a> {
    program: &'a Program,
    leaves: Vec<Leaf>,
}

impl LeafWalk for LeafList<'_> {
    type Given = ();
    type Tag = ();
    type Made = ();

    fn scalar(&mut self, ty: TyId, sort: Sort, (): &()) -> Result<(), Reason> {
        self.leaves.push(match (&self.program.ty(ty).kind, sort) {
            (TypeKind::Char, _) => Leaf::Char,
            (TypeKind::Float { bits }, _) => Leaf::Float(*bits),
            (_, Sort::Bits(width)) => Leaf::Bits(width),
            _ => Leaf::Bool,
        });
        Ok(())
    }

    fn tag(&mut self, variants: &[Fields], (): &()) -> Result<(), Reason> {
        self.leaves.push(Leaf::Tag(variants.len() as u32));
        Ok(())
    }

    fn descend(&mut self, (): &(), _: Descent<'_, ()>) -> Result<(), Reason> {
        Ok(())
    }

    fn ascend(&mut self, _: TyId, _: Whole<(), ()>) -> Result<(), Reason> {
        Ok(())
    }

    fn refuse(&mut self, _: Reason) -> Result<(), Reason> {
        Ok(())
    }
}

/// Whether a value is the variant of this number, where an outer condition holds.
fn is_variant(terms: &mut Terms, tag: Term, number: usize, outer: Option<Term>) -> Term {
    let Sort::Bits(width) = terms.sort(tag) else { unreachable!("a tag is a number") };
    let number = terms.bits(number as u128, width);
    let here = terms.eq(tag, number);
    match outer {
        Some(outer) => terms.and([outer, here]),
        None => here,
    }
}

struct AnyValue<'w, 'l> {
    shapes: &'w Shapes<'w>,
    terms: &'w mut Terms,
    making: &'w mut Making<'l>,
}

impl LeafWalk for AnyValue<'_, '_> {
    /// Promises hold only where this does: the leaves of a variant that a value is not have no meaning.
    type Given = Option<Term>;
    type Tag = Term;
    type Made = Value;

    fn enter(&mut self, ty: TyId, kind: &Kind<'_>, _: &Option<Term>) -> Result<(), Reason> {
        if let Some(reason) = super::std::refusal(self.shapes.program.ty(ty)) {
            return Err(reason);
        }
        if self.shapes.is_empty_type(ty) {
            return Err(UnsupportedType::Empty.into());
        }
        match kind {
            Kind::Array(_, length) if *length > MAX_ELEMENTS => Err(Extent::LongArray.into()),
            Kind::Reference { .. } if self.making.objects.is_none() => {
                Err(ReferenceUse::UnknownTarget.into())
            }
            Kind::Reference { to, .. } => match self.shapes.kind(*to) {
                Kind::Other(Type { kind: TypeKind::Coroutine { .. }, .. }) => {
                    Err(self.shapes.refusal(*to))
                }
                Kind::Other(target) => Err(ReferenceUse::To(target.name.as_str().into()).into()),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn scalar(&mut self, ty: TyId, sort: Sort, only_if: &Option<Term>) -> Result<Value, Reason> {
        let ty = self.shapes.program.ty(ty);
        let term = match (&ty.kind, self.making.floats) {
            (TypeKind::Float { bits }, NanBits::WithBits) => {
                let number = (self.making.leaves)(self.terms, Sort::Bits(*bits));
                floats::of_bits(self.terms, number)
            }
            _ => (self.making.leaves)(self.terms, sort),
        };
        self.promise_of_type(ty, term, *only_if);
        Ok(Value::Scalar(term))
    }

    fn tag(&mut self, variants: &[Fields], only_if: &Option<Term>) -> Result<Term, Reason> {
        let width = tag_width(variants.len());
        let tag = (self.making.leaves)(self.terms, Sort::Bits(width));
        for (number, fields) in variants.iter().enumerate() {
            if fields.iter().any(Option::is_none) {
                let here = is_variant(self.terms, tag, number, None);
                let fact = self.terms.not(here);
                self.promise(fact, *only_if);
            }
        }
        let last = self.terms.bits(variants.len() as u128 - 1, width);
        let fact = self.terms.compare(CompareOp::Ule, tag, last);
        self.promise(fact, *only_if);
        Ok(tag)
    }

    fn descend(
        &mut self,
        only_if: &Option<Term>,
        to: Descent<'_, Term>,
    ) -> Result<Option<Term>, Reason> {
        Ok(match to {
            Descent::Variant { tag, number, .. } => {
                Some(is_variant(self.terms, *tag, number, *only_if))
            }
            Descent::Part(_) | Descent::Pointee => *only_if,
        })
    }

    fn ascend(&mut self, _: TyId, whole: Whole<Value, Term>) -> Result<Value, Reason> {
        Ok(match whole {
            Whole::Fields(fields) => Value::Fields(fields.into()),
            Whole::Variants { tag, variants } => {
                let field = |it: Option<Value>| it.unwrap_or(Value::Uninit);
                let variants = variants.into_iter().map(|it| it.into_iter().map(field).collect());
                Value::Variant { tag, variants: variants.collect() }
            }
            Whole::Reference { to, target: content, .. } => {
                let object = Object(self.making.next_object);
                self.making.next_object += 1;
                let objects = self.making.objects.as_mut().expect("it is there");
                objects.push((object, content, to));
                let target = PointerTarget::Part { object, path: Rc::from([]), meta: Meta::None };
                Value::pointer(self.terms, target)
            }
        })
    }
}

impl AnyValue<'_, '_> {
    fn promise(&mut self, fact: Term, only_if: Option<Term>) {
        let fact = match only_if {
            Some(condition) => self.terms.implies(condition, fact),
            None => fact,
        };
        self.making.facts.push(fact);
    }

    /// What a type promises of its bits.
    fn promise_of_type(&mut self, ty: &Type, term: Term, only_if: Option<Term>) {
        let terms = &mut *self.terms;
        if let (Some((first, last)), Sort::Bits(width)) =
            (ty.layout.as_ref().and_then(|it| it.valid), terms.sort(term))
        {
            let [from, to] = [first, last].map(|it| terms.bits(it, width));
            let after = terms.compare(CompareOp::Ule, from, term);
            let before = terms.compare(CompareOp::Ule, term, to);
            let fact = match first <= last {
                true => terms.and([after, before]),
                false => terms.or([after, before]),
            };
            self.promise(fact, only_if);
        }
        if let (TypeKind::Float { .. }, NanBits::All) = (&ty.kind, self.making.floats) {
            let fact = floats::is_valid(self.terms, term);
            self.promise(fact, only_if);
        }
        if ty.kind != TypeKind::Char {
            return;
        }
        let terms = &mut *self.terms;
        let last = terms.bits(0x10_FFFF, 32);
        let in_range = terms.compare(CompareOp::Ule, term, last);
        let first_surrogate = terms.bits(0xD800, 32);
        let after = terms.bits(0xDFFF, 32);
        let below = terms.compare(CompareOp::Ult, term, first_surrogate);
        let above = terms.compare(CompareOp::Ult, after, term);
        let no_surrogate = terms.or([below, above]);
        self.promise(in_range, only_if);
        self.promise(no_surrogate, only_if);
    }
}

struct Flattening<'w> {
    shapes: &'w Shapes<'w>,
    terms: &'w mut Terms,
    state: &'w State,
    into: &'w mut Vec<Term>,
}

/// A value that is there only where a condition holds; elsewhere its leaves are zero.
struct Present {
    value: Value,
    only_if: Option<Term>,
}

impl LeafWalk for Flattening<'_> {
    type Given = Present;
    type Tag = Term;
    type Made = ();

    fn enter(&mut self, ty: TyId, kind: &Kind<'_>, given: &Present) -> Result<(), Reason> {
        if let Some(reason) = super::std::refusal(self.shapes.program.ty(ty)) {
            return Err(reason);
        }
        let fits = match (kind, &given.value) {
            (_, Value::Unknown(reason)) => return Err(Reason::clone(reason)),
            (Kind::Scalar(_) | Kind::Fields(_), _) => true,
            (Kind::Array(_, length), _) => *length <= MAX_ELEMENTS,
            (Kind::Variants(_), Value::Variant { .. } | Value::Uninit) => true,
            (Kind::Reference { .. }, Value::Pointer(_)) => true,
            (Kind::Reference { .. }, Value::Uninit) => given.only_if.is_some(),
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.shapes.refusal(ty)) }
    }

    fn scalar(&mut self, _: TyId, sort: Sort, given: &Present) -> Result<(), Reason> {
        let term = match given.value {
            Value::Uninit => match zero(self.terms, sort) {
                Some(zero) => zero,
                None => unreachable!("no scalar is an effect state"),
            },
            _ => {
                let term = given.value.scalar()?;
                if self.terms.sort(term) != sort {
                    return Err(Reinterpretation::Value.into());
                }
                self.or_zero(term, given.only_if)
            }
        };
        self.into.push(term);
        Ok(())
    }

    fn tag(&mut self, variants: &[Fields], given: &Present) -> Result<Term, Reason> {
        let tag = match given.value {
            Value::Variant { tag, .. } => tag,
            _ => self.terms.bits(0, tag_width(variants.len())),
        };
        let tag = self.or_zero(tag, given.only_if);
        self.into.push(tag);
        Ok(tag)
    }

    fn descend(&mut self, given: &Present, to: Descent<'_, Term>) -> Result<Present, Reason> {
        let Present { value, only_if } = given;
        Ok(match to {
            Descent::Part(number) => {
                Present { value: field_or_uninit(value, number)?, only_if: *only_if }
            }
            Descent::Variant { tag, number, .. } => {
                let here = is_variant(self.terms, *tag, number, *only_if);
                let fields = match value {
                    Value::Variant { variants, .. } => variants.get(number),
                    _ => None,
                };
                let value = match fields {
                    Some(fields) if self.terms.as_bool(here) != Some(false) => {
                        Value::Fields(fields.clone())
                    }
                    _ => Value::Uninit,
                };
                Present { value, only_if: Some(here) }
            }
            Descent::Pointee => {
                let value = match value {
                    Value::Pointer(choices) => self.state.read_choices(self.terms, choices)?,
                    _ => Value::Uninit,
                };
                Present { value, only_if: *only_if }
            }
        })
    }

    fn ascend(&mut self, _: TyId, _: Whole<(), Term>) -> Result<(), Reason> {
        Ok(())
    }
}

impl Flattening<'_> {
    fn or_zero(&mut self, term: Term, only_if: Option<Term>) -> Term {
        let sort = self.terms.sort(term);
        match (only_if, zero(self.terms, sort)) {
            (Some(condition), Some(zero)) => self.terms.ite(condition, term, zero),
            _ => term,
        }
    }
}

fn field_or_uninit(value: &Value, number: usize) -> Result<Value, Reason> {
    match value {
        Value::Fields(fields) => {
            fields.get(number).cloned().ok_or_else(|| Reason::from(PointerUse::PartBeyondEnd))
        }
        Value::Uninit => Ok(Value::Uninit),
        Value::Unknown(reason) => Err(Reason::clone(reason)),
        _ => Err(Reinterpretation::Value.into()),
    }
}
