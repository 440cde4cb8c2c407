//! What types mean for values: their kinds, sizes and forms.

use std::rc::Rc;

use super::floats;
use super::value::{PathElement, Value, tag_width};
use super::views::View;
use crate::cfa::{ArrayLen, Program, TyId, Type, TypeKind};
use crate::reason::{CoroutineUse, Reason, ReferenceUse, UnsupportedType};
use crate::solver::{Sort, Terms};

/// Longer arrays are not expanded.
pub const MAX_ELEMENTS: u64 = 4096;
/// Deeper types (lists, trees) are not opened up.
pub(super) const MAX_DEPTH: u32 = 24;

/// What the types of one program mean for values.
pub struct Shapes<'a> {
    pub program: &'a Program,
}

/// A type seen as the engines see it.
pub enum Kind<'a> {
    Scalar(Sort),
    Fields(Vec<TyId>),
    Array(TyId, u64),
    Variants(&'a [crate::cfa::Variant]),
    Reference { to: TyId, mutable: bool },
    Other(&'a Type),
}

impl<'a> Shapes<'a> {
    pub fn new(program: &'a Program) -> Shapes<'a> {
        Shapes { program }
    }

    pub fn kind(&self, ty: TyId) -> Kind<'a> {
        let found = self.program.ty(ty);
        match &found.kind {
            TypeKind::Bool => Kind::Scalar(Sort::Bool),
            TypeKind::Char => Kind::Scalar(Sort::Bits(32)),
            TypeKind::Int { bits, .. } => Kind::Scalar(Sort::Bits(*bits)),
            TypeKind::Float { bits } => match floats::width(*bits) {
                Some(width) => Kind::Scalar(Sort::Bits(width)),
                None => Kind::Other(found),
            },
            TypeKind::Tuple(parts) => Kind::Fields(parts.clone()),
            TypeKind::Struct(only) => Kind::Fields(only.fields.iter().map(|it| it.ty).collect()),
            TypeKind::Closure { captures, .. } => Kind::Fields(captures.clone()),
            TypeKind::FnItem(_) => Kind::Fields(Vec::new()),
            TypeKind::Array(element, ArrayLen::Known(length)) => Kind::Array(*element, *length),
            TypeKind::Enum(variants) => Kind::Variants(variants),
            TypeKind::Reference { to, mutable } => Kind::Reference { to: *to, mutable: *mutable },
            _ => Kind::Other(found),
        }
    }

    /// A value of which nothing was written yet.
    pub fn blank(&self, terms: &mut Terms, ty: TyId) -> Value {
        self.blank_within(terms, ty, MAX_DEPTH)
    }

    fn blank_within(&self, terms: &mut Terms, ty: TyId, depth: u32) -> Value {
        if depth == 0 {
            return Value::Uninit;
        }
        match self.kind(ty) {
            Kind::Fields(parts) => {
                Value::fields(parts.iter().map(|&it| self.blank_within(terms, it, depth - 1)))
            }
            Kind::Array(element, length) if length <= MAX_ELEMENTS => {
                let element = self.blank_within(terms, element, depth - 1);
                Value::fields((0..length).map(|_| element.clone()))
            }
            Kind::Variants(variants) => {
                let tag = terms.bits(0, tag_width(variants.len()));
                let of = |terms: &mut Terms, variant: &crate::cfa::Variant| {
                    let fields = variant.fields.iter();
                    fields.map(|it| self.blank_within(terms, it.ty, depth - 1)).collect()
                };
                let variants = variants.iter().map(|it| of(terms, it)).collect();
                Value::Variant { tag, variants }
            }
            Kind::Other(Type { kind: TypeKind::Union(_), .. }) => match self.only_content(ty) {
                Some((field, part)) => {
                    let value = self.blank_within(terms, part, depth - 1);
                    Value::Union { field, value: Rc::new(value) }
                }
                None => Value::Union { field: u32::MAX, value: Rc::new(Value::Uninit) },
            },
            _ => Value::Uninit,
        }
    }

    /// Why values of a type are not followed.
    pub fn refusal(&self, ty: TyId) -> Reason {
        let found = self.program.ty(ty);
        match found.kind {
            TypeKind::Coroutine { .. } => CoroutineUse::State.into(),
            _ => UnsupportedType::Named(found.name.as_str().into()).into(),
        }
    }

    /// Whether there is no value of the type. Errs towards no.
    pub fn is_empty_type(&self, ty: TyId) -> bool {
        self.is_empty(ty, MAX_DEPTH)
    }

    pub(super) fn is_empty(&self, ty: TyId, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let empty = |ty: &TyId| self.is_empty(*ty, depth - 1);
        match self.kind(ty) {
            Kind::Fields(parts) => parts.iter().any(empty),
            Kind::Array(element, length) => length > 0 && empty(&element),
            Kind::Variants(variants) => {
                variants.iter().all(|variant| variant.fields.iter().any(|it| empty(&it.ty)))
            }
            Kind::Other(other) => other.kind == TypeKind::Never,
            _ => false,
        }
    }

    /// The references in a value through which something can be written, and what they point to.
    pub fn mutable_targets(
        &self,
        ty: TyId,
        value: &Value,
        found: &mut Vec<(TyId, Value)>,
    ) -> Result<(), Reason> {
        match (self.kind(ty), value) {
            (Kind::Scalar(_), _) | (_, Value::Uninit) => Ok(()),
            (Kind::Fields(parts), Value::Fields(fields)) => parts
                .iter()
                .zip(fields.iter())
                .try_for_each(|(&ty, field)| self.mutable_targets(ty, field, found)),
            (Kind::Array(element, _), Value::Fields(fields)) => {
                fields.iter().try_for_each(|field| self.mutable_targets(element, field, found))
            }
            (Kind::Variants(types), Value::Variant { variants, .. }) => {
                for (variant, fields) in types.iter().zip(variants.iter()) {
                    for (ty, field) in variant.fields.iter().zip(fields.iter()) {
                        let before = found.len();
                        self.mutable_targets(ty.ty, field, found)?;
                        if found.len() > before {
                            return Err(ReferenceUse::MutableInEnum.into());
                        }
                    }
                }
                Ok(())
            }
            (Kind::Reference { to, mutable }, Value::Pointer(_)) => {
                if mutable {
                    found.push((to, value.clone()));
                }
                match self.has_references(to, MAX_DEPTH) {
                    true => Err(ReferenceUse::Nested.into()),
                    false => Ok(()),
                }
            }
            _ => Err(self.refusal(ty)),
        }
    }

    pub fn has_references(&self, ty: TyId, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        let has = |ty: TyId| self.has_references(ty, depth - 1);
        match self.kind(ty) {
            Kind::Scalar(_) => false,
            Kind::Fields(parts) => parts.into_iter().any(has),
            Kind::Array(element, length) => length > 0 && has(element),
            Kind::Variants(variants) => {
                variants.iter().flat_map(|it| &it.fields).any(|it| has(it.ty))
            }
            Kind::Reference { .. } => true,
            Kind::Other(other) => other.kind != TypeKind::Never,
        }
    }

    /// How many bytes a value takes up.
    pub fn size(&self, ty: TyId) -> Option<u64> {
        let found = self.program.ty(ty);
        if let Some(layout) = &found.layout {
            return Some(layout.size);
        }
        match &found.kind {
            TypeKind::Bool => Some(1),
            TypeKind::Char => Some(4),
            TypeKind::Int { bits, .. } | TypeKind::Float { bits } => Some(u64::from(*bits) / 8),
            TypeKind::Array(element, ArrayLen::Known(length)) => {
                self.size(*element)?.checked_mul(*length)
            }
            TypeKind::Reference { to, .. } | TypeKind::RawPointer { to, .. } => {
                match self.program.ty(*to).kind {
                    TypeKind::Slice(_) | TypeKind::Str | TypeKind::Dyn => Some(16),
                    // A struct may end in a slice.
                    TypeKind::Struct(_) | TypeKind::Tuple(_) => {
                        self.program.ty(*to).layout.as_ref().map(|_| 8)
                    }
                    TypeKind::Parameter { .. } | TypeKind::Opaque(_) => None,
                    _ => Some(8),
                }
            }
            TypeKind::FnPointer { .. } => Some(8),
            TypeKind::FnItem(_) => Some(0),
            _ => None,
        }
    }

    /// What the address of a value is a multiple of. None for numbers whose alignment is not their
    /// size on every target.
    pub fn align(&self, ty: TyId) -> Option<u64> {
        let found = self.program.ty(ty);
        match (&found.layout, &found.kind) {
            (Some(layout), _) => Some(layout.align),
            (None, TypeKind::Bool | TypeKind::Char) => self.size(ty),
            (None, TypeKind::Int { bits, .. } | TypeKind::Float { bits }) if *bits <= 32 => {
                self.size(ty)
            }
            (None, TypeKind::Array(element, _) | TypeKind::Slice(element)) => self.align(*element),
            _ => None,
        }
    }

    /// The only part with content of a struct, or the only field with content of a union.
    pub fn only_content(&self, ty: TyId) -> Option<(u32, TyId)> {
        let parts: Vec<TyId> = match self.kind(ty) {
            Kind::Fields(parts) => parts,
            Kind::Other(Type { kind: TypeKind::Union(only), .. }) => {
                only.fields.iter().map(|it| it.ty).collect()
            }
            _ => return None,
        };
        let mut contents = (0..).zip(parts).filter(|(_, it)| !self.program.is_zero_sized(*it));
        let content = contents.next()?;
        contents.next().is_none().then_some(content)
    }

    /// Whether pointers to the type have a length or methods beside the address.
    pub fn is_unsized(&self, ty: TyId) -> bool {
        match &self.program.ty(ty).kind {
            TypeKind::Slice(_) | TypeKind::Str | TypeKind::Dyn => true,
            TypeKind::Struct(only) => only.fields.last().is_some_and(|it| self.is_unsized(it.ty)),
            TypeKind::Tuple(parts) => parts.last().is_some_and(|it| self.is_unsized(*it)),
            _ => false,
        }
    }

    /// The length of an array type.
    pub fn length(&self, ty: TyId) -> Option<u64> {
        match self.kind(ty) {
            Kind::Array(_, length) => Some(length),
            _ => None,
        }
    }

    /// Whether a value has the form that values of a type have: unsafe code can see memory as
    /// another type. Errs towards no.
    pub fn conforms(&self, terms: &Terms, ty: TyId, value: &Value) -> bool {
        match (self.kind(ty), value) {
            (_, Value::Uninit | Value::Unknown(_)) => true,
            (Kind::Scalar(sort), Value::Scalar(term)) => terms.sort(*term) == sort,
            (Kind::Fields(parts), Value::Fields(fields)) => {
                parts.len() == fields.len()
                    && parts.iter().zip(fields.iter()).all(|(&ty, it)| self.conforms(terms, ty, it))
            }
            (Kind::Array(element, length), Value::Fields(fields)) => {
                length == fields.len() as u64
                    && fields.iter().all(|it| self.conforms(terms, element, it))
            }
            (Kind::Variants(types), Value::Variant { variants, .. }) => {
                types.len() == variants.len()
                    && types.iter().zip(variants.iter()).all(|(ty, fields)| {
                        ty.fields.len() == fields.len()
                            && ty
                                .fields
                                .iter()
                                .zip(fields.iter())
                                .all(|(ty, it)| self.conforms(terms, ty.ty, it))
                    })
            }
            (Kind::Reference { .. }, Value::Pointer(_)) => true,
            (Kind::Other(other), Value::Pointer(_)) => {
                matches!(other.kind, TypeKind::RawPointer { .. } | TypeKind::FnPointer { .. })
            }
            (Kind::Other(other), Value::Union { field, value }) => match &other.kind {
                TypeKind::Union(only) => only
                    .fields
                    .get(*field as usize)
                    .is_none_or(|it| self.conforms(terms, it.ty, value)),
                _ => false,
            },
            _ => false,
        }
    }

    /// Steps from a value to its only part with content that has the wanted form: a pointer to a
    /// wrapper cast to one to what it wraps.
    pub fn descend(&self, terms: &Terms, ty: TyId, value: &Value) -> Option<Vec<PathElement>> {
        let mut steps = Vec::new();
        let mut value = value.clone();
        for _ in 0..MAX_DEPTH {
            if self.conforms(terms, ty, &value) {
                return Some(steps);
            }
            let fields = match &value {
                Value::Fields(fields) => fields,
                Value::Union { field, value: content } if *field != u32::MAX => {
                    steps.push(PathElement::Field(*field));
                    value = (**content).clone();
                    continue;
                }
                _ => return None,
            };
            let mut contents = fields.iter().enumerate().filter(|(_, it)| !is_nothing(it));
            let (number, content) = contents.next()?;
            if contents.next().is_some() {
                return None;
            }
            steps.push(PathElement::Field(number as u32));
            value = content.clone();
        }
        None
    }
}

impl Shapes<'_> {
    /// Steps from a value to a wrapper of it, seen around it: a pointer to what is wrapped cast to
    /// one to the wrapper.
    pub fn ascend(&self, terms: &Terms, ty: TyId, value: &Value) -> Option<Vec<PathElement>> {
        if self.conforms(terms, ty, value) {
            return Some(Vec::new());
        }
        if let Kind::Array(element, 1) = self.kind(ty) {
            let mut steps = self.ascend(terms, element, value)?;
            steps.push(PathElement::View(View::Sole));
            return Some(steps);
        }
        let (field, part) = self.only_content(ty)?;
        let mut steps = self.ascend(terms, part, value)?;
        steps.push(PathElement::View(match self.kind(ty) {
            Kind::Fields(parts) => View::Wrapped { field, of: parts.len() as u32 },
            _ => View::United { field },
        }));
        (steps.len() < MAX_DEPTH as usize).then_some(steps)
    }
}

fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::Fields(fields) if fields.iter().all(is_nothing))
}
