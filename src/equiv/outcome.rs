//! How a run ended, and whether two runs ended alike.

use std::rc::Rc;

use super::start::{Interface, Start};
use crate::cfa::{TyId, TypeKind};
use crate::solver::{Term, Terms};
use crate::sym::{
    Choice, Endings, Frame, Kind, Meta, PointerTarget, Shapes, State, Value, tag_width,
};
use crate::version::{Both, Version};

/// The outcome of one side.
pub struct Outcome {
    pub returned: Option<(State, Vec<Value>)>,
    pub panicked: Option<State>,
    pub aborted: Option<State>,
    pub diverged: Option<State>,
}

impl Outcome {
    /// Reads the results off the frame that ended.
    pub fn new(ended: Endings, frame: &Frame, interface: &Interface, version: Version) -> Outcome {
        let returned = ended.returned.clone().map(|state| {
            let results = interface.results[version].iter();
            let value = |local| state.objects.get(&frame.object(local)).cloned();
            let values = results.map(|&(local, _)| value(local).unwrap_or(Value::Uninit)).collect();
            (state, values)
        });
        let Endings { panicked, aborted, diverged, .. } = ended;
        Outcome { returned, panicked, aborted, diverged }
    }
}

/// The condition under which two outcomes differ in what counts as behaviour.
///
/// Values that cannot be compared count as `incomparable` says: to be proved equal they have to
/// count as different, to be shown different as equal.
#[allow(clippy::too_many_arguments)]
pub fn difference(
    terms: &mut Terms,
    shapes: &Shapes,
    interface: &Interface,
    start: &Start,
    Both { old, new }: &Both<Outcome>,
    incomparable: Incomparable,
) -> Term {
    let compared = Compared { shapes, given: start.next_object, incomparable };
    let conditions = |terms: &mut Terms, outcome: &Outcome| {
        [
            outcome.returned.as_ref().map(|(state, _)| state),
            outcome.panicked.as_ref(),
            outcome.aborted.as_ref(),
            outcome.diverged.as_ref(),
        ]
        .map(|state| match state {
            Some(state) => state.condition(terms),
            None => terms.bool(false),
        })
    };
    let of_old = conditions(terms, old);
    let of_new = conditions(terms, new);
    let mut differences = Vec::new();
    for (index, &one) in of_old.iter().enumerate() {
        for (other, &two) in of_new.iter().enumerate() {
            // A run ends in one way, as the paths of a side exclude each other: where one of the two
            // ways is the same on both sides, a run that takes it does not take the other.
            let excluded = one == of_new[index] || two == of_old[other];
            if index != other && !excluded {
                differences.push(terms.and([one, two]));
            }
        }
    }
    let mut same_kind = |terms: &mut Terms, kind: usize, equal: Vec<Term>| {
        let all = terms.and(equal);
        let differs = terms.not(all);
        differences.push(terms.and([of_old[kind], of_new[kind], differs]));
    };
    if let (Some((old_state, old_values)), Some((new_state, new_values))) =
        (&old.returned, &new.returned)
    {
        let mut equal = Vec::new();
        for ((&(_, ty), one), two) in interface.results.new.iter().zip(old_values).zip(new_values) {
            equal.push(equality(terms, compared, ty, (old_state, one), (new_state, two), 24));
        }
        equal.extend(memory_equality(terms, compared, start, old_state, new_state));
        same_kind(terms, 0, equal);
    }
    if let (Some(one), Some(two)) = (&old.panicked, &new.panicked) {
        let equal = memory_equality(terms, compared, start, one, two);
        same_kind(terms, 1, equal);
    }
    // What is left behind by a process that ends, or goes on for ever, is only what it did outside.
    for (kind, old, new) in [(2, &old.aborted, &new.aborted), (3, &old.diverged, &new.diverged)] {
        if let (Some(one), Some(two)) = (old, new) {
            let equal = vec![terms.eq(one.effect_state, two.effect_state)];
            same_kind(terms, kind, equal);
        }
    }
    terms.or(differences)
}

/// What two values count as that cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomparable {
    Equal,
    Different,
}

/// What comparing needs to know: the types, and the objects that both sides were given.
#[derive(Clone, Copy)]
struct Compared<'a> {
    shapes: &'a Shapes<'a>,
    given: u32,
    incomparable: Incomparable,
}

impl Compared<'_> {
    fn refuse(self, terms: &mut Terms) -> Term {
        terms.bool(self.incomparable == Incomparable::Equal)
    }
}

/// What the references that were given point to, and what happened outside.
fn memory_equality(
    terms: &mut Terms,
    compared: Compared,
    start: &Start,
    old: &State,
    new: &State,
) -> Vec<Term> {
    let mut equal = vec![terms.eq(old.effect_state, new.effect_state)];
    for (object, _, ty) in &start.objects {
        equal.push(match (old.objects.get(object), new.objects.get(object)) {
            (Some(one), Some(two)) => equality(terms, compared, *ty, (old, one), (new, two), 24),
            _ => compared.refuse(terms),
        });
    }
    equal
}

/// Whether two values are the same to whoever gets them: addresses do not count, what is behind a
/// shared reference does.
fn equality(
    terms: &mut Terms,
    compared: Compared,
    ty: TyId,
    (old, one): (&State, &Value),
    (new, two): (&State, &Value),
    depth: u32,
) -> Term {
    if depth == 0 {
        return compared.refuse(terms);
    }
    let part = |terms: &mut Terms, ty: TyId, one: &Value, two: &Value| {
        equality(terms, compared, ty, (old, one), (new, two), depth - 1)
    };
    match (compared.shapes.kind(ty), one, two) {
        // Whoever gets a trait object runs its methods, which need not be the same.
        (_, Value::Pointer(one), Value::Pointer(two)) if [one, two].into_iter().any(is_object) => {
            compared.refuse(terms)
        }
        (_, Value::Unknown(one), Value::Unknown(two)) if Rc::ptr_eq(one, two) => terms.bool(true),
        (Kind::Scalar(_), _, _) => match (one.scalar(), two.scalar()) {
            (Ok(one), Ok(two)) if terms.sort(one) == terms.sort(two) => terms.eq(one, two),
            _ => compared.refuse(terms),
        },
        (Kind::Fields(parts), Value::Fields(one), Value::Fields(two))
            if one.len() == parts.len() && two.len() == parts.len() =>
        {
            let equal: Vec<Term> = (0..parts.len())
                .map(|index| part(terms, parts[index], &one[index], &two[index]))
                .collect();
            terms.and(equal)
        }
        (Kind::Array(element, length), Value::Fields(one), Value::Fields(two))
            if one.len() as u64 == length && two.len() as u64 == length =>
        {
            let equal: Vec<Term> = one
                .iter()
                .zip(two.iter())
                .map(|(one, two)| part(terms, element, one, two))
                .collect();
            terms.and(equal)
        }
        (
            Kind::Variants(types),
            Value::Variant { tag: one, variants: of_one },
            Value::Variant { tag: two, variants: of_two },
        ) => {
            let mut equal = vec![terms.eq(*one, *two)];
            for (number, variant) in types.iter().enumerate() {
                let number_term = terms.bits(number as u128, tag_width(types.len()));
                let is_one = terms.eq(*one, number_term);
                let is_two = terms.eq(*two, number_term);
                let here = terms.and([is_one, is_two]);
                if terms.as_bool(here) == Some(false) {
                    continue;
                }
                for (index, field) in variant.fields.iter().enumerate() {
                    let same = match (of_one[number].get(index), of_two[number].get(index)) {
                        (Some(one), Some(two)) => part(terms, field.ty, one, two),
                        _ => compared.refuse(terms),
                    };
                    equal.push(terms.implies(here, same));
                }
            }
            terms.and(equal)
        }
        (Kind::Reference { to, mutable }, Value::Pointer(one), Value::Pointer(two)) => {
            if same_target(compared.given, one, two) {
                return terms.bool(true);
            }
            if mutable {
                let given = [one, two].iter().all(|it| points_to_given(compared.given, it));
                return if given { terms.bool(false) } else { compared.refuse(terms) };
            }
            let slice = match &compared.shapes.program.ty(to).kind {
                TypeKind::Slice(element) => Some(*element),
                _ => None,
            };
            match slice {
                Some(element) => {
                    slice_equality(terms, compared, element, (old, one), (new, two), depth)
                }
                None => match (old.read_choices(terms, one), new.read_choices(terms, two)) {
                    (Ok(one), Ok(two)) => {
                        equality(terms, compared, to, (old, &one), (new, &two), depth - 1)
                    }
                    _ => compared.refuse(terms),
                },
            }
        }
        (Kind::Other(_), Value::Pointer(one), Value::Pointer(two)) => match (&**one, &**two) {
            (
                [Choice { target: PointerTarget::Address(one), .. }],
                [Choice { target: PointerTarget::Address(two), .. }],
            ) => terms.eq(*one, *two),
            _ if same_target(compared.given, one, two) => terms.bool(true),
            _ => compared.refuse(terms),
        },
        _ => compared.refuse(terms),
    }
}

/// Whether a pointer may be one to a trait object.
fn is_object(pointer: &Rc<[Choice]>) -> bool {
    pointer.iter().any(|it| matches!(it.target, PointerTarget::Part { meta: Meta::VTable(_), .. }))
}

/// Slices of a known and equal length, element by element.
fn slice_equality(
    terms: &mut Terms,
    compared: Compared,
    element: TyId,
    (old, one): (&State, &[Choice]),
    (new, two): (&State, &[Choice]),
    depth: u32,
) -> Term {
    match (old.read_slice(terms, one), new.read_slice(terms, two)) {
        (Some(one), Some(two)) if one.len() == two.len() => {
            let equal: Vec<Term> = one
                .iter()
                .zip(&two)
                .map(|(one, two)| {
                    equality(terms, compared, element, (old, one), (new, two), depth - 1)
                })
                .collect();
            terms.and(equal)
        }
        (Some(_), Some(_)) => terms.bool(false),
        _ => compared.refuse(terms),
    }
}

/// Whether a pointer points to one part of what both sides were given.
fn points_to_given(given: u32, choices: &[Choice]) -> bool {
    matches!(choices, [Choice { target: PointerTarget::Part { object, .. }, .. }] if object.0 < given)
}

/// Whether pointers point to one part of what both sides were given: objects that were made on the
/// way have numbers of their own on each side. Errs towards no.
fn same_target(given: u32, one: &[Choice], two: &[Choice]) -> bool {
    match (one, two) {
        ([one], [two]) => match &one.target {
            PointerTarget::Part { object, .. } => object.0 < given && one.target == two.target,
            _ => false,
        },
        _ => false,
    }
}
