//! Constants, as close to how a user would write them as their type allows.

use std::collections::HashSet;

use crate::bits;
use crate::cfa::{Const, Memory, MemoryId, Pointee, PointerMeta, Program, TyId, TypeKind};

/// How much of a text and of other memory is shown.
const TEXT: usize = 60;
const BYTES: usize = 16;

pub(super) fn constant(program: &Program, constant: &Const) -> String {
    match constant {
        Const::Bits { bits, ty } => scalar(program, Some(*ty), *bits),
        Const::ZeroSized(ty) => program.ty(*ty).name.clone(),
        Const::Pointer { to, offset, meta, ty } => pointer(program, *to, *offset, *meta, *ty),
        Const::Value { memory, ty } => {
            format!("{} as {}", bytes(program, *memory, 0), program.ty(*ty).name)
        }
        Const::Generic { computed_by, .. } => {
            format!("const {}", program.function(*computed_by).name)
        }
        Const::Opaque { text, .. } => text.clone(),
    }
}

/// The value of these bits in this type.
pub(super) fn scalar(program: &Program, ty: Option<TyId>, bits: u128) -> String {
    let ty = ty.map(|ty| program.ty(ty));
    match ty.map(|ty| &ty.kind) {
        Some(TypeKind::Bool) if bits < 2 => (bits == 1).to_string(),
        Some(TypeKind::Char) => match u32::try_from(bits).ok().and_then(char::from_u32) {
            Some(char) => format!("{char:?}"),
            None => format!("{bits:#x}"),
        },
        Some(TypeKind::Int { bits: width, signed: true }) if (1..=128).contains(width) => {
            bits::signed(bits, *width).to_string()
        }
        Some(TypeKind::Int { .. }) | None => bits.to_string(),
        Some(TypeKind::Float { bits: 32 }) => format!("{:?}", f32::from_bits(bits as u32)),
        Some(TypeKind::Float { bits: 64 }) => format!("{:?}", f64::from_bits(bits as u64)),
        Some(_) => format!("{bits:#x} as {}", ty.map_or("", |ty| &ty.name)),
    }
}

fn pointer(
    program: &Program,
    to: Pointee,
    offset: u64,
    meta: Option<PointerMeta>,
    ty: TyId,
) -> String {
    let target = match to {
        Pointee::Memory(id) => {
            let length = match meta {
                Some(PointerMeta::Length(length)) => Some(length),
                _ => None,
            };
            let content = length.and_then(|length| text(program, id, offset, length, ty));
            return content.unwrap_or_else(|| {
                let length =
                    length.map_or(String::new(), |length| format!(" with length {length}"));
                format!("&{}{length}", bytes(program, id, offset))
            });
        }
        Pointee::Static(id) => format!("&{}", program.statics[id.index()].name),
        Pointee::Function(id) => program.function(id).name.clone(),
        Pointee::VTable(id) => {
            let vtable = &program.vtables[id.index()];
            format!("&vtable({} as {})", program.ty(vtable.ty).name, vtable.dyn_name)
        }
        Pointee::TypeIdentity(ty) => format!("type_id({})", program.ty(ty).name),
    };
    match offset {
        0 => target,
        _ => format!("{target} + {offset}"),
    }
}

/// A string or byte string, if that is what the pointer points to.
fn text(program: &Program, id: MemoryId, offset: u64, length: u64, ty: TyId) -> Option<String> {
    let (TypeKind::Reference { to, .. } | TypeKind::RawPointer { to, .. }) = program.ty(ty).kind
    else {
        return None;
    };
    let memory = &program.memories[id.index()];
    let range = usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(length)?).ok()?;
    let content = memory.bytes.get(range)?;
    if !memory.pointers.is_empty() || !memory.uninit.is_empty() {
        return None;
    }
    let (all, quoted) = match program.ty(to).kind {
        TypeKind::Str => {
            let all = std::str::from_utf8(content).ok()?;
            (all.chars().count(), format!("{:?}", all.chars().take(TEXT).collect::<String>()))
        }
        TypeKind::Slice(element)
            if program.ty(element).kind == (TypeKind::Int { bits: 8, signed: false }) =>
        {
            let shown = &content[..content.len().min(TEXT)];
            (content.len(), format!("b\"{}\"", shown.escape_ascii()))
        }
        _ => return None,
    };
    Some(if all <= TEXT {
        quoted
    } else {
        format!("{quoted}… ({length} bytes {:08x})", fingerprint(program, id))
    })
}

/// The bytes of a memory, or how many there are and a fingerprint.
fn bytes(program: &Program, id: MemoryId, offset: u64) -> String {
    let Memory { bytes, uninit, pointers, .. } = &program.memories[id.index()];
    let place = if offset == 0 { String::new() } else { format!(" + {offset}") };
    if bytes.len() <= BYTES && uninit.is_empty() && pointers.is_empty() {
        let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        return format!("[{}]{place}", hex.join(" "));
    }
    format!("[{} bytes {:08x}]{place}", bytes.len(), fingerprint(program, id))
}

/// The same for the same content, also behind its pointers, in any program.
fn fingerprint(program: &Program, id: MemoryId) -> u32 {
    let mut hash = blake3::Hasher::new();
    let mut seen = HashSet::new();
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        let Memory { bytes, uninit, pointers, .. } = &program.memories[id.index()];
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
        hash.update(format!("{uninit:?}").as_bytes());
        for &(at, to) in pointers {
            hash.update(&at.to_le_bytes());
            let name = match to {
                Pointee::Memory(id) => {
                    if seen.insert(id) {
                        pending.push(id);
                    }
                    continue;
                }
                Pointee::Static(id) => &program.statics[id.index()].name,
                Pointee::Function(id) => &program.function(id).name,
                Pointee::VTable(id) => {
                    let vtable = &program.vtables[id.index()];
                    hash.update(program.ty(vtable.ty).name.as_bytes());
                    &vtable.dyn_name
                }
                Pointee::TypeIdentity(ty) => &program.ty(ty).name,
            };
            hash.update(name.as_bytes());
        }
    }
    let bytes = *hash.finalize().as_bytes();
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
