//! Towards inputs that are small and easy to read.
//!
//! Every step replaces one part of the arguments by a simpler one on which the two versions still
//! differ; what is simpler has a lower cost, so that it ends. A step tries all candidates in one
//! process a side.

use std::cmp::Reverse;

use super::harness::Harness;
use super::outcome::Comparison;
use super::value::{Concrete, Invocation};
use crate::bits;
use crate::cfa::{ArrayLen, Program, TyId, TypeKind};
use crate::version::Version;

/// The most steps, and the most candidates of one.
const STEPS: usize = 200;
const CANDIDATES: usize = 400;

/// What an element of a slice costs more than anything that it can hold.
const ELEMENT: u128 = 1 << 100;

impl Harness<'_> {
    /// Simpler arguments on which the versions still differ; the same ones where none are found.
    pub fn shrink(&self, request: &Invocation<'_>) -> Vec<Concrete> {
        let mut best = request.arguments.clone();
        for _ in 0..STEPS {
            match self.simpler(request, &best) {
                Some(simpler) => best = simpler,
                None => break,
            }
        }
        best
    }

    fn simpler(&self, request: &Invocation<'_>, from: &[Concrete]) -> Option<Vec<Concrete>> {
        let built = self.built(request.program, request.entry).ok()?;
        let mut candidates: Vec<(u128, Vec<Concrete>)> = Vec::new();
        for (index, argument) in from.iter().enumerate() {
            let now = cost(request.program, argument);
            for candidate in candidates_for(request.program, argument) {
                let then = cost(request.program, &candidate);
                if then < now {
                    let mut arguments = from.to_vec();
                    arguments[index] = candidate;
                    candidates.push((now - then, arguments));
                }
            }
        }
        candidates.sort_by_key(|(gain, _)| Reverse(*gain));
        candidates.dedup_by(|a, b| a.1 == b.1);
        let mut calls = Vec::new();
        candidates.retain(|(_, arguments)| match built.signature.words(arguments) {
            Ok(words) if calls.len() < CANDIDATES => {
                calls.push([vec![built.number], words].concat());
                true
            }
            _ => false,
        });
        if calls.is_empty() {
            return None;
        }
        let run = |version: Version| built.run(version, &calls, &self.hasty()).ok();
        let (old, new, names) = (run(Version::Old)?, run(Version::New)?, self.planned.names());
        let differs =
            |index: &usize| old[*index].compare(&new[*index], &names) == Comparison::Different;
        let found = (0..calls.len()).find(differs)?;
        Some(candidates.swap_remove(found).1)
    }
}

/// How hard a value is to read.
fn cost(program: &Program, value: &Concrete) -> u128 {
    let all = |parts: &[Concrete]| {
        parts.iter().fold(0u128, |sum, part| sum.saturating_add(cost(program, part)))
    };
    match value {
        Concrete::Bits { bits, ty } => scalar_cost(program, *ty, *bits),
        Concrete::Fields { fields, .. } => all(fields),
        Concrete::Variant { variant, fields, .. } => {
            let more = ELEMENT / 2 * fields.len() as u128;
            all(fields).saturating_add(more).saturating_add(u128::from(*variant))
        }
        Concrete::Reference { to, .. } => cost(program, to),
        Concrete::Slice { elements, .. } => {
            all(elements).saturating_add(ELEMENT.saturating_mul(elements.len() as u128))
        }
    }
}

fn scalar_cost(program: &Program, ty: TyId, bits: u128) -> u128 {
    match &program.ty(ty).kind {
        TypeKind::Int { bits: width, signed: true } => {
            let value = bits::signed(bits, *width);
            value.unsigned_abs().saturating_mul(2).saturating_add(u128::from(value < 0))
        }
        TypeKind::Char => match char::from_u32(bits as u32) {
            Some('a') => 0,
            Some(c) if c.is_ascii_alphanumeric() => 1 + bits,
            Some(' '..='~') => 200 + bits,
            _ => 1000 + bits,
        },
        TypeKind::Float { bits: 32 } => float_cost(f64::from(f32::from_bits(bits as u32))),
        TypeKind::Float { bits: 64 } => float_cost(f64::from_bits(bits as u64)),
        _ => bits,
    }
}

/// Small whole numbers, then all others by how many digits they have, then what is no number.
fn float_cost(value: f64) -> u128 {
    let sign = u128::from(value.is_sign_negative());
    if value.is_nan() {
        1 << 90
    } else if value.is_infinite() {
        (1 << 91) + sign
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        value.abs() as u128 * 2 + sign
    } else {
        (1 << 80) + ((format!("{value:?}").len() as u128) << 8) + sign
    }
}

/// Values that may be simpler, among others that are not.
fn candidates_for(program: &Program, value: &Concrete) -> Vec<Concrete> {
    match value {
        Concrete::Bits { bits, ty } => {
            let scalars = scalar_candidates(program, *ty, *bits);
            scalars.into_iter().map(|bits| Concrete::Bits { bits, ty: *ty }).collect()
        }
        Concrete::Fields { ty, fields } => inside(program, fields)
            .into_iter()
            .map(|fields| Concrete::Fields { ty: *ty, fields })
            .collect(),
        Concrete::Variant { ty, variant, fields } => {
            let same = inside(program, fields).into_iter().map(|fields| Concrete::Variant {
                ty: *ty,
                variant: *variant,
                fields,
            });
            let TypeKind::Enum(variants) = &program.ty(*ty).kind else {
                return same.collect();
            };
            let others = (0..variants.len() as u32).filter(|number| number != variant);
            let others = others.filter_map(|number| variant_of(program, *ty, number, 0));
            others.chain(same).collect()
        }
        Concrete::Reference { ty, mutable, to } => candidates_for(program, to)
            .into_iter()
            .map(|to| Concrete::Reference { ty: *ty, mutable: *mutable, to: Box::new(to) })
            .collect(),
        Concrete::Slice { ty, elements } => {
            let half = elements.len() / 2;
            let mut lists = vec![Vec::new(), elements[..half].to_vec(), elements[half..].to_vec()];
            lists.extend((0..elements.len().min(64)).map(|index| {
                let mut shorter = elements.clone();
                shorter.remove(index);
                shorter
            }));
            lists.extend(inside(program, elements));
            lists.into_iter().map(|elements| Concrete::Slice { ty: *ty, elements }).collect()
        }
    }
}

/// The same parts with one of them replaced.
fn inside(program: &Program, parts: &[Concrete]) -> Vec<Vec<Concrete>> {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate().take(64) {
        for candidate in candidates_for(program, part) {
            let mut parts = parts.to_vec();
            parts[index] = candidate;
            found.push(parts);
        }
    }
    found
}

fn scalar_candidates(program: &Program, ty: TyId, bits: u128) -> Vec<u128> {
    match &program.ty(ty).kind {
        TypeKind::Bool => vec![0],
        TypeKind::Char => "a0 A.-".chars().map(|c| u128::from(c as u32)).collect(),
        TypeKind::Float { bits: width } => {
            let value = match width {
                32 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits as u64),
            };
            let simple = [0.0, 1.0, -1.0, 2.0, 0.5, value.trunc(), value / 2.0, -value];
            let encode = |value: f64| match width {
                32 => u128::from((value as f32).to_bits()),
                _ => u128::from(value.to_bits()),
            };
            simple.into_iter().map(encode).collect()
        }
        TypeKind::Int { bits: width, signed } => {
            let mask = bits::mask(*width);
            let negative = *signed && bits >> (width - 1) & 1 == 1;
            let size = if negative { (!bits & mask).wrapping_add(1) & mask } else { bits };
            let mut sizes = vec![0, 1, 2, 10, size / 2, size / 10];
            // Halving the distance to where the difference begins, and clearing each bit.
            sizes.extend((0..*width).map(|bit| size.saturating_sub(1 << bit)));
            sizes.extend((0..*width).map(|bit| size & !(1 << bit)));
            let signs = |size: u128| match (signed, negative) {
                (true, true) => vec![size, size.wrapping_neg() & mask],
                (true, false) if size == 1 => vec![size, mask],
                _ => vec![size],
            };
            let mut found: Vec<u128> = sizes.into_iter().flat_map(signs).collect();
            found.push(size & mask);
            found
        }
        _ => vec![0],
    }
}

fn variant_of(program: &Program, ty: TyId, variant: u32, depth: u32) -> Option<Concrete> {
    let TypeKind::Enum(variants) = &program.ty(ty).kind else {
        return None;
    };
    let fields = &variants.get(variant as usize)?.fields;
    let fields: Option<Vec<_>> =
        fields.iter().map(|field| simplest(program, field.ty, depth + 1)).collect();
    Some(Concrete::Variant { ty, variant, fields: fields? })
}

/// A value of the type; none where that takes more than zeros.
fn simplest(program: &Program, ty: TyId, depth: u32) -> Option<Concrete> {
    if depth > 8 {
        return None;
    }
    let all = |types: &mut dyn Iterator<Item = TyId>| {
        types.map(|ty| simplest(program, ty, depth + 1)).collect::<Option<Vec<_>>>()
    };
    Some(match &program.ty(ty).kind {
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float { .. } => {
            Concrete::Bits { bits: 0, ty }
        }
        TypeKind::Char => Concrete::Bits { bits: u128::from('a' as u32), ty },
        TypeKind::Tuple(parts) => Concrete::Fields { ty, fields: all(&mut parts.iter().copied())? },
        TypeKind::Array(element, ArrayLen::Known(len)) if *len <= 64 => {
            let element = simplest(program, *element, depth + 1)?;
            Concrete::Fields { ty, fields: vec![element; *len as usize] }
        }
        TypeKind::Struct(only) => {
            Concrete::Fields { ty, fields: all(&mut only.fields.iter().map(|it| it.ty))? }
        }
        TypeKind::Enum(variants) => {
            (0..variants.len() as u32).find_map(|number| variant_of(program, ty, number, depth))?
        }
        TypeKind::Reference { to, mutable } => {
            let to = Box::new(simplest(program, *to, depth + 1)?);
            Concrete::Reference { ty, mutable: *mutable, to }
        }
        TypeKind::Slice(_) | TypeKind::Str => Concrete::Slice { ty, elements: Vec::new() },
        _ => return None,
    })
}
