//! Constants of the program as values.

use std::rc::Rc;

use super::shape::{Kind, MAX_ELEMENTS, Shapes};
use super::value::{Meta, Object, PathElement, PointerTarget, Value, tag_width};
use crate::bits;
use crate::cfa::{Const, Memory, MemoryId, Pointee, PointerMeta, TyId, Type, TypeKind};
use crate::reason::{AddressUse, ConstantForm, GenericCode, Reason};
use crate::solver::{Sort, Terms};

/// Constants that pointers point to, which become objects when they are first met.
pub trait Constants {
    /// The object that holds a constant, seen as a type.
    fn object(&mut self, terms: &mut Terms, memory: MemoryId, ty: TyId) -> Result<Object, Reason>;
    /// The object that holds so many elements.
    fn slice(
        &mut self,
        terms: &mut Terms,
        memory: MemoryId,
        element: TyId,
        length: u64,
    ) -> Result<Object, Reason>;
    /// The object that holds the bytes of a `str`.
    fn bytes(&mut self, terms: &mut Terms, memory: MemoryId, length: u64)
    -> Result<Object, Reason>;
    /// The object of a static that nothing changes.
    fn static_object(
        &mut self,
        terms: &mut Terms,
        id: crate::cfa::StaticId,
    ) -> Result<Object, Reason>;
}

impl Shapes<'_> {
    pub fn constant(
        &self,
        terms: &mut Terms,
        constants: &mut dyn Constants,
        constant: &Const,
    ) -> Result<Value, Reason> {
        match constant {
            Const::Bits { bits, ty } => match self.kind(*ty) {
                Kind::Scalar(Sort::Bool) => Ok(Value::Scalar(terms.bool(*bits != 0))),
                Kind::Scalar(Sort::Bits(width)) => Ok(Value::Scalar(terms.bits(*bits, width))),
                _ => self.from_bytes(terms, constants, &plain(*bits), 0, *ty),
            },
            Const::ZeroSized(ty) => Ok(self.zero_sized(terms, *ty)),
            Const::Pointer { to, offset, meta, ty } => {
                self.pointer(terms, constants, *to, *offset, *meta, *ty)
            }
            Const::Value { memory, ty } => {
                let memory = &self.program.memories[memory.index()];
                self.from_bytes(terms, constants, memory, 0, *ty)
            }
            Const::Generic { .. } => Err(GenericCode::Constant.into()),
            Const::Opaque { text, .. } => Err(ConstantForm::Opaque(text.as_str().into()).into()),
        }
    }

    /// A value without content has the form of one that nothing was written to.
    fn zero_sized(&self, terms: &mut Terms, ty: TyId) -> Value {
        self.blank(terms, ty)
    }

    fn pointer(
        &self,
        terms: &mut Terms,
        constants: &mut dyn Constants,
        to: Pointee,
        offset: u64,
        meta: Option<PointerMeta>,
        ty: TyId,
    ) -> Result<Value, Reason> {
        let target = match to {
            Pointee::Function(id) => PointerTarget::Function(id),
            Pointee::Memory(_) | Pointee::Static(_) if offset == 0 => {
                let pointee = match self.program.ty(ty).kind {
                    TypeKind::Reference { to, .. } | TypeKind::RawPointer { to, .. } => to,
                    _ => return Err(ConstantForm::Pointer.into()),
                };
                let object = match to {
                    Pointee::Static(id) => constants.static_object(terms, id)?,
                    Pointee::Memory(memory) => match (&self.program.ty(pointee).kind, meta) {
                        (TypeKind::Slice(element), Some(PointerMeta::Length(length))) => {
                            constants.slice(terms, memory, *element, length)?
                        }
                        (TypeKind::Str, Some(PointerMeta::Length(length))) => {
                            constants.bytes(terms, memory, length)?
                        }
                        _ => constants.object(terms, memory, pointee)?,
                    },
                    _ => unreachable!("the others are not here"),
                };
                let (path, meta): (Rc<[PathElement]>, _) = match meta {
                    None => (Rc::from([]), Meta::None),
                    Some(PointerMeta::Length(length)) => {
                        let start = terms.bits(0, 64);
                        let length = terms.bits(length.into(), 64);
                        (Rc::from([PathElement::From(start)]), Meta::Length(length))
                    }
                    Some(PointerMeta::VTable(id)) => (Rc::from([]), Meta::VTable(id)),
                };
                PointerTarget::Part { object, path, meta }
            }
            _ => return Err(ConstantForm::InnerPointer.into()),
        };
        Ok(Value::pointer(terms, target))
    }

    /// A value of a type as it lies in memory.
    pub fn from_bytes(
        &self,
        terms: &mut Terms,
        constants: &mut dyn Constants,
        memory: &Memory,
        at: u64,
        ty: TyId,
    ) -> Result<Value, Reason> {
        let found = self.program.ty(ty);
        let no_layout = || Reason::from(ConstantForm::OfType(found.name.as_str().into()));
        let whole = self.size(ty).ok_or_else(no_layout)?;
        let part = |number: usize, variant: usize| {
            let offsets = &found.layout.as_ref()?.offsets;
            offsets.get(variant).and_then(|it| it.get(number)).copied()
        };
        match self.kind(ty) {
            Kind::Scalar(sort) => {
                if is_uninit(memory, at) {
                    return Ok(Value::Uninit);
                }
                if overlaps_pointer(memory, at, whole) {
                    return Err(AddressUse::ReadAsNumber.into());
                }
                let bits = number(memory, at, whole)?;
                Ok(Value::Scalar(match sort {
                    Sort::Bits(width) => terms.bits(bits, width),
                    _ => terms.bool(bits != 0),
                }))
            }
            Kind::Fields(parts) => {
                let mut fields = Vec::new();
                for (index, &field) in parts.iter().enumerate() {
                    let offset = part(index, 0).ok_or_else(no_layout)?;
                    fields.push(self.from_bytes(terms, constants, memory, at + offset, field)?);
                }
                Ok(Value::fields(fields))
            }
            Kind::Array(element, length) if length <= MAX_ELEMENTS => {
                let size = self.size(element).ok_or_else(no_layout)?;
                let elements: Result<Vec<Value>, Reason> = (0..length)
                    .map(|it| self.from_bytes(terms, constants, memory, at + it * size, element))
                    .collect();
                Ok(Value::fields(elements?))
            }
            Kind::Variants(variants) => {
                let chosen = self.variant_in_memory(found, memory, at).ok_or_else(no_layout)?;
                let Value::Variant { variants: blank, .. } = self.blank(terms, ty) else {
                    return Err(no_layout());
                };
                let mut all = blank.to_vec();
                let mut fields = Vec::new();
                for (index, field) in variants[chosen].fields.iter().enumerate() {
                    let offset = part(index, chosen).ok_or_else(no_layout)?;
                    fields.push(self.from_bytes(
                        terms,
                        constants,
                        memory,
                        at + offset,
                        field.ty,
                    )?);
                }
                all[chosen] = fields.into();
                let tag = terms.bits(chosen as u128, tag_width(variants.len()));
                Ok(Value::Variant { tag, variants: all.into() })
            }
            Kind::Reference { .. } => self.pointer_in_memory(terms, constants, memory, at, ty),
            Kind::Other(other) => match &other.kind {
                TypeKind::RawPointer { .. } | TypeKind::FnPointer { .. } => {
                    self.pointer_in_memory(terms, constants, memory, at, ty)
                }
                _ if whole == 0 => Ok(self.blank(terms, ty)),
                TypeKind::Union(_) if (at..at + whole).all(|at| is_uninit(memory, at)) => {
                    Ok(self.blank(terms, ty))
                }
                TypeKind::Union(_) => {
                    let (field, part) = self.only_content(ty).ok_or_else(no_layout)?;
                    let value = self.from_bytes(terms, constants, memory, at, part)?;
                    Ok(Value::Union { field, value: Rc::new(value) })
                }
                _ => Err(no_layout()),
            },
            Kind::Array(..) => Err(no_layout()),
        }
    }

    fn pointer_in_memory(
        &self,
        terms: &mut Terms,
        constants: &mut dyn Constants,
        memory: &Memory,
        at: u64,
        ty: TyId,
    ) -> Result<Value, Reason> {
        let found = memory.pointers.iter().find(|(offset, _)| u64::from(*offset) == at);
        let Some(&(_, to)) = found else {
            let address = number(memory, at, 8)?;
            let target = PointerTarget::Address(terms.bits(address, 64));
            return Ok(Value::pointer(terms, target));
        };
        let size = self.size(ty).unwrap_or(0);
        let meta = match (size, memory.pointers.iter().find(|it| u64::from(it.0) == at + 8)) {
            (16, Some((_, Pointee::VTable(id)))) => Some(PointerMeta::VTable(*id)),
            (16, None) => Some(PointerMeta::Length(number(memory, at + 8, 8)? as u64)),
            (8, _) => None,
            _ => return Err(ConstantForm::Pointer.into()),
        };
        self.pointer(terms, constants, to, number(memory, at, 8)? as u64, meta, ty)
    }

    /// Which variant a value in memory is.
    fn variant_in_memory(&self, ty: &Type, memory: &Memory, at: u64) -> Option<usize> {
        let TypeKind::Enum(variants) = &ty.kind else { return None };
        let Some(tag) = &ty.layout.as_ref()?.tag else {
            // One variant has values; the others are empty.
            let mut inhabited = (0..variants.len()).filter(|&it| {
                !variants[it].fields.iter().any(|it| self.program.ty(it.ty).kind == TypeKind::Never)
            });
            return inhabited.next().filter(|_| inhabited.next().is_none());
        };
        let offset = at + tag.offset;
        let is_pointer = memory.pointers.iter().any(|(it, _)| u64::from(*it) == offset);
        let mask = bits::mask(8 * tag.size.min(16) as u32);
        match tag.niche {
            None => {
                let value = number(memory, offset, tag.size).ok()?;
                variants.iter().position(|it| it.discriminant & mask == value)
            }
            // A pointer is no niche value.
            Some(niche) if is_pointer => Some(niche.untagged as usize),
            Some(niche) => {
                let value = number(memory, offset, tag.size).ok()?;
                let relative = value.wrapping_sub(niche.start) & mask;
                let count = u128::from(niche.last - niche.first);
                match relative <= count {
                    true => Some(niche.first as usize + relative as usize),
                    false => Some(niche.untagged as usize),
                }
            }
        }
    }
}

fn is_uninit(memory: &Memory, at: u64) -> bool {
    memory.uninit.iter().any(|(start, end)| (u64::from(*start)..u64::from(*end)).contains(&at))
}

fn overlaps_pointer(memory: &Memory, at: u64, size: u64) -> bool {
    memory.pointers.iter().any(|(offset, _)| {
        let offset = u64::from(*offset);
        offset < at + size && at < offset + 8
    })
}

/// The bytes of a number, as the targets that the tool runs on keep them.
fn number(memory: &Memory, at: u64, size: u64) -> Result<u128, Reason> {
    let range = at as usize..(at + size) as usize;
    let bytes = memory.bytes.get(range).ok_or(ConstantForm::TooShort)?;
    if size > 16 {
        return Err(ConstantForm::LargeNumber.into());
    }
    Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte)))
}

fn plain(bits: u128) -> Memory {
    Memory {
        bytes: bits.to_le_bytes().to_vec(),
        uninit: Vec::new(),
        pointers: Vec::new(),
        align: 1,
        mutable: false,
    }
}
