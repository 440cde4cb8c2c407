//! Values as the bytes that they are in memory, to see them as another type.

use std::rc::Rc;

use super::execute::Executor;
use super::floats;
use super::memory::State;
use super::shape::Kind;
use super::value::{PointerTarget, Value, tag_width};
use crate::cfa::{Layout, Tag, TyId, TypeKind};
use crate::reason::{AddressUse, Reason, Reinterpretation};
use crate::solver::{Sort, Term, Terms};

/// One byte; none where nothing was written.
type Byte = Option<Term>;

/// The bytes of a pointer to a value of known size, on the targets that the tool runs on.
const ADDRESS: u64 = 8;

/// A value seen as another type of the same size.
pub(super) fn transmute(
    executor: &mut Executor<'_, '_>,
    state: &State,
    value: Value,
    from: Option<TyId>,
    to: TyId,
) -> Result<Value, Reason> {
    let unknown = || Reason::from(Reinterpretation::Value);
    let from = from.ok_or_else(unknown)?;
    if executor.code.program.ty(from) == executor.code.program.ty(to) {
        return Ok(value);
    }
    // Wrappers of pointers: addresses have no bytes here.
    if let Some(core) = core(&value)
        && let Value::Pointer(_) = core
    {
        return wrap(executor, core, to).ok_or_else(unknown);
    }
    let size = executor.shapes.size(from).ok_or_else(unknown)?;
    if Some(size) != executor.shapes.size(to) {
        return Err(unknown());
    }
    let mut bytes = vec![None; size as usize];
    to_bytes(executor, state, &value, from, 0, &mut bytes)?;
    of_bytes(executor, &bytes, 0, to)
}

/// What a wrapper wraps.
fn core(value: &Value) -> Option<Value> {
    match value {
        Value::Fields(fields) => {
            let is_empty = |it: &&Value| matches!(it, Value::Fields(none) if none.is_empty());
            let mut contents = fields.iter().filter(|it| !is_empty(it));
            let content = contents.next()?;
            if contents.next().is_some() {
                return None;
            }
            core(content)
        }
        Value::Union { value, .. } => core(value),
        other => Some(other.clone()),
    }
}

/// A pointer as a wrapper of one.
fn wrap(executor: &mut Executor<'_, '_>, pointer: Value, to: TyId) -> Option<Value> {
    match executor.shapes.kind(to) {
        Kind::Reference { .. } => Some(pointer),
        Kind::Fields(parts) => {
            let mut fields = Vec::new();
            let mut rest = Some(pointer);
            for part in parts {
                fields.push(match executor.code.program.is_zero_sized(part) {
                    true => executor.shapes.blank(executor.terms, part),
                    false => wrap(executor, rest.take()?, part)?,
                });
            }
            rest.is_none().then(|| Value::fields(fields))
        }
        Kind::Other(other) => match &other.kind {
            TypeKind::RawPointer { .. } | TypeKind::FnPointer { .. } => Some(pointer),
            TypeKind::Union(only) => {
                let field = only
                    .fields
                    .iter()
                    .position(|it| !executor.code.program.is_zero_sized(it.ty))?;
                let value = wrap(executor, pointer, only.fields[field].ty)?;
                Some(Value::Union { field: field as u32, value: Rc::new(value) })
            }
            _ => None,
        },
        _ => None,
    }
}

fn layout(executor: &Executor<'_, '_>, ty: TyId) -> Result<Layout, Reason> {
    let found = executor.code.program.ty(ty);
    if let Some(layout) = &found.layout {
        return Ok(layout.clone());
    }
    match executor.shapes.size(ty) {
        Some(size) => Ok(Layout { size, align: 1, offsets: Vec::new(), tag: None, valid: None }),
        None => Err(Reinterpretation::BytesOf(found.name.as_str().into()).into()),
    }
}

fn to_bytes(
    executor: &mut Executor<'_, '_>,
    state: &State,
    value: &Value,
    ty: TyId,
    at: usize,
    bytes: &mut [Byte],
) -> Result<(), Reason> {
    let shape = layout(executor, ty)?;
    let none = || Reason::from(Reinterpretation::UnknownBytes);
    match (executor.shapes.kind(ty), value) {
        (_, Value::Uninit) => Ok(()),
        (Kind::Scalar(_), _) => {
            let term = value.scalar()?;
            let is_float = matches!(executor.code.program.ty(ty).kind, TypeKind::Float { .. });
            let term = match executor.terms.sort(term) {
                _ if is_float => executor.float_bits(state, term)?,
                Sort::Bool => {
                    let (one, zero) = (executor.terms.bits(1, 8), executor.terms.bits(0, 8));
                    executor.terms.ite(term, one, zero)
                }
                _ => term,
            };
            put(executor.terms, term, at, bytes);
            Ok(())
        }
        (Kind::Fields(parts), Value::Fields(fields)) => {
            for (index, (&part, field)) in parts.iter().zip(fields.iter()).enumerate() {
                let offset = shape.offsets.first().and_then(|it| it.get(index)).ok_or_else(none)?;
                to_bytes(executor, state, field, part, at + *offset as usize, bytes)?;
            }
            Ok(())
        }
        (Kind::Array(element, _), Value::Fields(fields)) => {
            let size = layout(executor, element)?.size as usize;
            for (index, field) in fields.iter().enumerate() {
                to_bytes(executor, state, field, element, at + index * size, bytes)?;
            }
            Ok(())
        }
        (Kind::Variants(types), Value::Variant { tag, variants }) => {
            let Some(kept) = &shape.tag else { return Err(none()) };
            let width = tag_width(types.len());
            let mut result: Option<Vec<Byte>> = None;
            for (number, variant) in types.iter().enumerate() {
                let mut own = vec![None; shape.size as usize];
                for (index, field) in variant.fields.iter().enumerate() {
                    let offsets = shape.offsets.get(number).and_then(|it| it.get(index));
                    let offset = *offsets.ok_or_else(none)? as usize;
                    let value = variants[number].get(index).ok_or_else(none)?.clone();
                    to_bytes(executor, state, &value, field.ty, offset, &mut own)?;
                }
                if let Some(bits) = tag_bits(kept, number as u32, variant.discriminant) {
                    let bits = executor.terms.bits(bits, 8 * kept.size as u32);
                    put(executor.terms, bits, kept.offset as usize, &mut own);
                }
                let number = executor.terms.bits(number as u128, width);
                let here = executor.terms.eq(*tag, number);
                result = Some(match result {
                    None => own,
                    Some(rest) => own
                        .into_iter()
                        .zip(rest)
                        .map(|pair| match pair {
                            (Some(one), Some(two)) => Some(executor.terms.ite(here, one, two)),
                            (one, two) => one.or(two),
                        })
                        .collect(),
                });
            }
            for (index, byte) in result.into_iter().flatten().enumerate() {
                if byte.is_some() {
                    bytes[at + index] = byte;
                }
            }
            Ok(())
        }
        (Kind::Other(other), Value::Union { field, value }) => match &other.kind {
            TypeKind::Union(only) => {
                let field = only.fields.get(*field as usize).ok_or_else(none)?;
                to_bytes(executor, state, value, field.ty, at, bytes)
            }
            _ => Err(none()),
        },
        (_, Value::Unknown(reason)) => Err(Reason::clone(reason)),
        _ if shape.size == 0 => Ok(()),
        _ => Err(none()),
    }
}

fn of_bytes(
    executor: &mut Executor<'_, '_>,
    bytes: &[Byte],
    at: usize,
    ty: TyId,
) -> Result<Value, Reason> {
    let shape = layout(executor, ty)?;
    let none = || Reason::from(Reinterpretation::UnknownBytes);
    match executor.shapes.kind(ty) {
        Kind::Scalar(sort) => {
            let Some(term) = get(executor.terms, bytes, at, shape.size as usize) else {
                return Ok(Value::Uninit);
            };
            Ok(Value::Scalar(match sort {
                Sort::Bool => {
                    let zero = executor.terms.bits(0, 8);
                    let is_zero = executor.terms.eq(term, zero);
                    executor.terms.not(is_zero)
                }
                _ if matches!(executor.code.program.ty(ty).kind, TypeKind::Float { .. }) => {
                    floats::of_bits(executor.terms, term)
                }
                _ => term,
            }))
        }
        Kind::Fields(parts) => {
            let mut fields = Vec::new();
            for (index, part) in parts.into_iter().enumerate() {
                let offset = shape.offsets.first().and_then(|it| it.get(index)).ok_or_else(none)?;
                fields.push(of_bytes(executor, bytes, at + *offset as usize, part)?);
            }
            Ok(Value::fields(fields))
        }
        Kind::Array(element, length) => {
            let size = layout(executor, element)?.size as usize;
            let elements: Result<Vec<Value>, Reason> = (0..length as usize)
                .map(|index| of_bytes(executor, bytes, at + index * size, element))
                .collect();
            Ok(Value::fields(elements?))
        }
        Kind::Variants(types) => {
            let Some(kept) = &shape.tag else { return Err(none()) };
            let found = get(executor.terms, bytes, at + kept.offset as usize, kept.size as usize);
            let found = found.ok_or_else(none)?;
            let tag = decode_tag(executor.terms, kept, found, types);
            let mut variants: Vec<Rc<[Value]>> = Vec::new();
            for (number, variant) in types.iter().enumerate() {
                let mut fields = Vec::new();
                for (index, field) in variant.fields.iter().enumerate() {
                    let offsets = shape.offsets.get(number).and_then(|it| it.get(index));
                    let offset = *offsets.ok_or_else(none)? as usize;
                    fields.push(of_bytes(executor, bytes, at + offset, field.ty)?);
                }
                variants.push(fields.into());
            }
            Ok(Value::Variant { tag, variants: variants.into() })
        }
        Kind::Other(other) => match &other.kind {
            TypeKind::Union(only) => {
                let size = |ty: TyId| layout(executor, ty).map_or(0, |it| it.size);
                let whole = only.fields.iter().position(|it| size(it.ty) == shape.size);
                let field = whole.ok_or_else(none)?;
                let value = of_bytes(executor, bytes, at, only.fields[field].ty)?;
                Ok(Value::Union { field: field as u32, value: Rc::new(value) })
            }
            // A number that is no object's address: objects have no bytes.
            TypeKind::RawPointer { .. } if shape.size == ADDRESS => {
                let address = get(executor.terms, bytes, at, ADDRESS as usize).ok_or_else(none)?;
                Ok(Value::pointer(executor.terms, PointerTarget::Address(address)))
            }
            _ if shape.size == 0 => Ok(executor.shapes.blank(executor.terms, ty)),
            _ => Err(none()),
        },
        Kind::Reference { .. } => Err(AddressUse::OfNumber.into()),
    }
}

/// The number of the variant that a tag in memory says.
fn decode_tag(terms: &mut Terms, kept: &Tag, found: Term, types: &[crate::cfa::Variant]) -> Term {
    let width = tag_width(types.len());
    let bits = 8 * kept.size as u32;
    match kept.niche {
        None => {
            let mut result = terms.bits(0, width);
            for (number, variant) in types.iter().enumerate() {
                let discriminant = terms.bits(variant.discriminant, bits);
                let here = terms.eq(found, discriminant);
                let number = terms.bits(number as u128, width);
                result = terms.ite(here, number, result);
            }
            result
        }
        Some(niche) => {
            let mut result = terms.bits(niche.untagged.into(), width);
            for number in niche.first..=niche.last {
                let value = niche.start.wrapping_add(u128::from(number - niche.first));
                let value = terms.bits(value, bits);
                let here = terms.eq(found, value);
                let number = terms.bits(number.into(), width);
                result = terms.ite(here, number, result);
            }
            result
        }
    }
}

/// The bits of the tag of a variant; none for the one that has no tag of its own.
fn tag_bits(kept: &Tag, number: u32, discriminant: u128) -> Option<u128> {
    match kept.niche {
        None => Some(discriminant),
        Some(niche) if niche.untagged == number => None,
        Some(niche) => Some(niche.start.wrapping_add(u128::from(number.wrapping_sub(niche.first)))),
    }
}

fn put(terms: &mut Terms, term: Term, at: usize, bytes: &mut [Byte]) {
    let Sort::Bits(width) = terms.sort(term) else { return };
    for index in 0..(width / 8) as usize {
        bytes[at + index] = Some(terms.extract(term, 8 * index as u32, 8));
    }
}

/// The number that lies in so many bytes, as the targets that the tool runs on keep them.
fn get(terms: &mut Terms, bytes: &[Byte], at: usize, size: usize) -> Byte {
    let mut result: Byte = None;
    for byte in bytes.get(at..at + size)? {
        let byte = (*byte)?;
        result = Some(match result {
            None => byte,
            Some(low) => terms.concat(byte, low),
        });
    }
    result
}
