//! All inputs of a small domain, run natively with both versions.

use super::harness::{Harness, not_started};
use super::outcome::Comparison;
use super::process::{self, Line};
use super::shape::{Shape, Variant};
use super::source::Signature;
use super::value::{Concrete, Invocation, Replay};
use crate::cfa::{ArrayLen, Entry, EntryTarget, Program, StdType, TyId, TypeKind};
use crate::model::{NoOutcome, NotAllInputs, NotRun};
use crate::version::Both;

/// How many inputs share a hash.
const CHUNK: u128 = 4096;

/// The values that each word of the arguments takes: where they start and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    words: Vec<(u128, u128)>,
}

/// What came of running all inputs.
#[derive(Clone, Debug)]
pub enum Exhausted {
    /// This many inputs, and none differs. This says all about a function that keeps nothing from
    /// one call to the next, and does the same whenever it is called.
    AllSame(u128),
    /// What native runs of the first input that differs showed.
    Found(Vec<Concrete>, Replay),
    NotRun(NotRun),
}

impl Domain {
    /// Every input of an entry point. None: there are too many to count, or their number depends on
    /// what they are.
    pub fn of(program: &Program, entry: &Entry) -> Option<Domain> {
        let signature = Signature::of(program, entry).ok()?;
        let mut words = Vec::new();
        signature.shapes().try_for_each(|shape| count(shape, &mut words))?;
        let domain = Domain { words };
        domain.len().map(|_| domain)
    }

    /// Whether native runs show all of what the entry point gives: numbers and what is made of them,
    /// by value.
    pub fn shows_all(program: &Program, entry: &Entry) -> bool {
        let EntryTarget::Function(id) = entry.target else { return false };
        let function = program.function(id);
        let params = &function.locals[1..=function.params as usize];
        params.iter().all(|local| is_by_value(program, local.ty, MAX_DEPTH))
            && is_plain(program, function.locals[0].ty)
    }

    /// How many inputs; none where that is more than can be counted.
    pub fn len(&self) -> Option<u128> {
        self.words.iter().try_fold(1u128, |all, (_, count)| all.checked_mul(*count))
    }

    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    fn words(&self, mut number: u128) -> Vec<u128> {
        let mut words = Vec::new();
        for (first, count) in &self.words {
            words.push(first.wrapping_add(number % count));
            number /= count;
        }
        words
    }
}

/// Deeper types are not looked into.
const MAX_DEPTH: u32 = 24;

/// Whether a value leads to nothing outside of it: what is written there is not shown.
fn is_by_value(program: &Program, ty: TyId, depth: u32) -> bool {
    let part = |ty: &TyId| depth > 0 && is_by_value(program, *ty, depth - 1);
    match &program.ty(ty).kind {
        TypeKind::Bool | TypeKind::Char | TypeKind::Int { .. } | TypeKind::Float { .. } => true,
        TypeKind::Tuple(parts) => parts.iter().all(part),
        TypeKind::Array(element, _) => part(element),
        TypeKind::Struct(only) => only.fields.iter().all(|field| part(&field.ty)),
        TypeKind::Enum(variants) => {
            variants.iter().flat_map(|it| &it.fields).all(|field| part(&field.ty))
        }
        _ => false,
    }
}

fn is_plain(program: &Program, ty: TyId) -> bool {
    match &program.ty(ty).kind {
        TypeKind::Bool | TypeKind::Char | TypeKind::Int { .. } | TypeKind::Float { .. } => true,
        TypeKind::Tuple(parts) => parts.iter().all(|part| is_plain(program, *part)),
        TypeKind::Array(element, ArrayLen::Known(_)) => is_plain(program, *element),
        TypeKind::Enum(variants) if program.ty(ty).std == Some(StdType::Option) => {
            let mut fields = variants.iter().flat_map(|it| &it.fields);
            fields.all(|field| is_plain(program, field.ty))
        }
        _ => false,
    }
}

/// The words of a shape, where their number is always the same.
fn count(shape: &Shape, words: &mut Vec<(u128, u128)>) -> Option<()> {
    match shape {
        Shape::Bool => words.push((0, 2)),
        Shape::Char => words.push((0, 0x11_0000 - 0x800)),
        Shape::Int { bits, .. } | Shape::Float { bits } if *bits < 128 => {
            words.push((0, 1 << bits));
        }
        Shape::NonZero(of) => match **of {
            Shape::Int { bits, .. } if bits < 128 => words.push((1, (1 << bits) - 1)),
            _ => return None,
        },
        Shape::Tuple(parts) => parts.iter().try_for_each(|part| count(part, words))?,
        Shape::Array(element, len) if *len <= 16 => {
            (0..*len).try_for_each(|_| count(element, words))?;
        }
        Shape::Struct(Variant { fields, .. }) => {
            fields.iter().try_for_each(|(_, shape)| count(shape, words))?;
        }
        Shape::Enum(variants) => {
            let is_plain = |it: &Result<Variant, NotRun>| {
                it.as_ref().is_ok_and(|variant| variant.fields.is_empty())
            };
            if !variants.iter().all(is_plain) {
                return None;
            }
            words.push((0, variants.len() as u128));
        }
        Shape::Reference { to, .. } => count(to, words)?,
        _ => return None,
    }
    Some(())
}

impl Harness<'_> {
    /// Runs an entry point on every input of the domain.
    pub fn run_all(&self, program: &Program, entry: &Entry, domain: &Domain) -> Exhausted {
        self.try_run_all(program, entry, domain).unwrap_or_else(Exhausted::NotRun)
    }

    fn try_run_all(
        &self,
        program: &Program,
        entry: &Entry,
        domain: &Domain,
    ) -> Result<Exhausted, NotRun> {
        let built = self.built(program, entry)?;
        let total = domain.len().ok_or(NotAllInputs::TooMany)?;
        let ranges = domain.words.iter().flat_map(|(first, count)| [*first, *count]);
        let mut input = vec![built.number, 0, total, CHUNK];
        input.extend(ranges);
        let names = self.planned.names();
        let Both { old, new } = Both::try_from_fn(|version| {
            let ran = process::all(built.executable(version), &input, &self.limits);
            let ran = ran.map_err(not_started)?;
            match ran.broken_off {
                Some(end) => Err(NotRun::NoOutcome {
                    with: names[version].clone(),
                    outcome: end.to_string(),
                    why: NoOutcome::EndedProcess,
                }),
                None => Ok(ran),
            }
        })?;
        let Some(chunk) = first_difference(&old.lines, &new.lines) else {
            if old.lines.iter().any(|line| line.text.ends_with("NaN")) {
                return Err(NotAllInputs::Nan.into());
            }
            return match old.printed == new.printed {
                true => Ok(Exhausted::AllSame(total)),
                false => Err(NotAllInputs::PrintedSomewhere.into()),
            };
        };
        let from = chunk as u128 * CHUNK;
        let numbers: Vec<u128> = (from..total.min(from + CHUNK)).collect();
        let calls: Vec<Vec<u128>> = numbers
            .iter()
            .map(|number| [vec![built.number], domain.words(*number)].concat())
            .collect();
        let Both { old, new } =
            Both::try_from_fn(|version| built.run(version, &calls, &self.limits))?;
        let differs =
            |index: &usize| old[*index].compare(&new[*index], &names) == Comparison::Different;
        let found = (0..calls.len()).find(differs);
        let found = found.ok_or(NotAllInputs::AfterOtherCalls)?;
        let words = domain.words(numbers[found]);
        let arguments =
            arguments(program, entry, &built.signature, &words).ok_or(NotAllInputs::NotWritable)?;
        let replay = self.replay(&Invocation { program, entry, arguments: arguments.clone() });
        Ok(Exhausted::Found(arguments, replay))
    }
}

fn first_difference(old: &[Line], new: &[Line]) -> Option<usize> {
    (0..old.len().max(new.len())).find(|index| old.get(*index) != new.get(*index))
}

fn arguments(
    program: &Program,
    entry: &Entry,
    signature: &Signature,
    words: &[u128],
) -> Option<Vec<Concrete>> {
    let EntryTarget::Function(id) = entry.target else {
        return None;
    };
    let locals = &program.function(id).locals;
    let mut words = words.iter().copied();
    let types = locals.iter().skip(1).map(|local| local.ty);
    signature.shapes().zip(types).map(|(shape, ty)| value(program, ty, shape, &mut words)).collect()
}

/// The value that these words stand for.
fn value(
    program: &Program,
    ty: TyId,
    shape: &Shape,
    words: &mut impl Iterator<Item = u128>,
) -> Option<Concrete> {
    Some(match (shape, &program.ty(ty).kind) {
        (Shape::Char, _) => {
            let number = words.next()?;
            let bits = if number < 0xd800 { number } else { number + 0x800 };
            Concrete::Bits { bits, ty }
        }
        (Shape::Bool | Shape::Int { .. } | Shape::Float { .. } | Shape::NonZero(_), _) => {
            Concrete::Bits { bits: words.next()?, ty }
        }
        (Shape::Tuple(shapes), TypeKind::Tuple(parts)) => {
            let mut fields = Vec::new();
            for (shape, part) in shapes.iter().zip(parts) {
                fields.push(value(program, *part, shape, words)?);
            }
            Concrete::Fields { ty, fields }
        }
        (Shape::Array(shape, len), TypeKind::Array(element, _)) => {
            let mut fields = Vec::new();
            for _ in 0..*len {
                fields.push(value(program, *element, shape, words)?);
            }
            Concrete::Fields { ty, fields }
        }
        (Shape::Struct(variant), TypeKind::Struct(only)) => {
            let mut fields = Vec::new();
            for ((_, shape), field) in variant.fields.iter().zip(&only.fields) {
                fields.push(value(program, field.ty, shape, words)?);
            }
            Concrete::Fields { ty, fields }
        }
        (Shape::Enum(_), _) => {
            Concrete::Variant { ty, variant: words.next()? as u32, fields: Vec::new() }
        }
        (Shape::Reference { to, mutable }, TypeKind::Reference { to: inner, .. }) => {
            let to = Box::new(value(program, *inner, to, words)?);
            Concrete::Reference { ty, mutable: *mutable, to }
        }
        _ => return None,
    })
}
