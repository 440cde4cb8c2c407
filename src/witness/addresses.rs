//! Whether code looks at addresses. Where something lies is the same in each run of one build, as far
//! as its last bits go, and can be another place in any other build: what native runs of two builds
//! show is then no difference between the versions.
//!
//! What std does with addresses on its own, such as to find out how a slice is aligned, shows in
//! nothing that it gives.

use std::collections::HashSet;

use crate::cfa::{
    BinaryOp, Body, CastKind, Entry, FnId, Function, Intrinsic, Op, Operand, Origin, Place,
    Program, Projection, Rvalue, TyId, TypeKind,
};
use crate::change::{Pair, Side, Thing};

/// A function through which an entry point looks at an address, in one of the versions. Errs towards
/// one that is there, but for foreign code and assembly.
pub fn looks_at_addresses(pair: &Pair<'_>, old: &Entry, new: &Entry) -> Option<String> {
    in_side(&pair.new, new).or_else(|| in_side(&pair.old, old))
}

fn in_side(side: &Side<'_>, entry: &Entry) -> Option<String> {
    let program = side.program;
    let start: Thing = entry.target.into();
    let mut seen = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(thing) = pending.pop() {
        let shape = side.own_shape(thing);
        if let Thing::Function(id) = thing {
            let function = program.function(id);
            let looks = match program.origin(function.krate) {
                Origin::Std => is_made_of_an_address(&function.name),
                _ => looks(program, function) || calls_what_looks(program, &shape.refs),
            };
            if looks {
                return Some(function.name.clone());
            }
        }
        pending.extend(shape.refs.iter().copied().filter(|it| seen.insert(*it)));
    }
    None
}

/// Whether a function of std makes a text, a hash or an order of addresses.
fn is_made_of_an_address(name: &str) -> bool {
    let Some((ty, method)) = name.split_once(" as core::") else { return false };
    let is_pointer = ["<*", "<fn(", "<unsafe ", "<extern ", "<core::ptr::non_null::NonNull<"]
        .iter()
        .any(|prefix| ty.starts_with(prefix));
    method.starts_with("fmt::Pointer>")
        || is_pointer
            && ["fmt::Debug>", "hash::Hash>", "cmp::Ord>", "cmp::PartialOrd>"]
                .iter()
                .any(|prefix| method.starts_with(prefix))
}

/// Whether code of others refers to functions of std that give or compare addresses.
fn calls_what_looks(program: &Program, refs: &[Thing]) -> bool {
    let functions = refs.iter().filter_map(|it| match it {
        Thing::Function(id) => Some(program.function(*id)),
        _ => None,
    });
    let mut of_std = functions.filter(|it| program.origin(it.krate) == Origin::Std);
    of_std.any(|it| gives_an_address(&it.name))
}

fn gives_an_address(name: &str) -> bool {
    let segments = segments(name);
    let method = segments.last().copied().unwrap_or_default();
    let of_pointers = name.starts_with("<*") || name.contains("core::ptr::");
    let by_pointers = ["addr", "expose_provenance", "align_offset", "is_aligned", "eq", "addr_eq"];
    let anywhere = ["fn_addr_eq", "new_pointer", "align_to", "align_to_mut", "as_simd"];
    (of_pointers && by_pointers.contains(&method)) || anywhere.contains(&method)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parts of a path, without generic arguments.
fn segments(name: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !name[..at].ends_with('-') => depth -= 1,
            ':' if depth == 0 => {
                found.push(&name[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&name[start..]);
    found.retain(|it| it.starts_with(is_word));
    found
}

/// Whether a function itself turns addresses into numbers or compares them.
fn looks(program: &Program, function: &Function) -> bool {
    let Some(cfa) = function.cfa() else { return false };
    let of_place =
        |place: &Place| program.place_type(&function.locals, place.local, &place.projections);
    let of_operand = |operand: &Operand| match operand {
        Operand::Read(place) => of_place(place),
        Operand::Const(constant) => Some(constant.ty()),
    };
    let is_pointer = |operand: &Operand| {
        of_operand(operand).is_some_and(|ty| {
            matches!(program.ty(ty).kind, TypeKind::RawPointer { .. } | TypeKind::FnPointer(_))
        })
    };
    cfa.edges.iter().any(|edge| {
        let mut op = edge.op.clone();
        let mut through_union = false;
        op.places_mut(&mut |place, _| {
            for (index, projection) in place.projections.iter().enumerate() {
                if let Projection::Field(_) = projection {
                    let before = &place.projections[..index];
                    let ty = program.place_type(&function.locals, place.local, before);
                    through_union |= ty.is_some_and(|ty| is_union_of_both(program, ty));
                }
            }
        });
        through_union
            || match &edge.op {
                Op::Assign(_, Rvalue::Cast(CastKind::PtrToInt, ..)) => true,
                Op::Assign(_, Rvalue::Cast(CastKind::Transmute, operand, to)) => {
                    of_operand(operand).is_none_or(|from| has(program, from, Part::Pointer))
                        && has(program, *to, Part::Number)
                }
                Op::Assign(_, Rvalue::Binary(op, left, right)) => {
                    !matches!(op, BinaryOp::Offset) && (is_pointer(left) || is_pointer(right))
                }
                _ => false,
            }
    }) || function_transmutes(program, function)
}

/// Whether it calls the intrinsic that sees a pointer as a number.
fn function_transmutes(program: &Program, function: &Function) -> bool {
    let calls =
        function.cfa().into_iter().flat_map(|cfa| &cfa.edges).filter_map(|edge| match &edge.op {
            Op::Call(call) => match call.callee {
                crate::cfa::Callee::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        });
    let transmutes = |id: FnId| {
        let callee = program.function(id);
        let is_intrinsic = matches!(
            callee.body,
            Body::Intrinsic(Intrinsic::Transmute | Intrinsic::TransmuteUnchecked)
        );
        let is_transmute = is_intrinsic || callee.name.starts_with("core::mem::transmute");
        match callee.type_args[..] {
            [from, to, ..] if is_transmute => {
                has(program, from, Part::Pointer) && has(program, to, Part::Number)
            }
            _ => is_transmute,
        }
    };
    calls.into_iter().any(transmutes)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Pointer,
    Number,
}

fn is_union_of_both(program: &Program, ty: TyId) -> bool {
    match &program.ty(ty).kind {
        TypeKind::Union(only) => [Part::Pointer, Part::Number]
            .into_iter()
            .all(|part| only.fields.iter().any(|field| has(program, field.ty, part))),
        _ => false,
    }
}

/// Whether a value of the type has such a part, by value. Errs towards yes.
fn has(program: &Program, ty: TyId, part: Part) -> bool {
    let mut seen = HashSet::from([ty]);
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        let mut parts: Vec<TyId> = Vec::new();
        match &program.ty(ty).kind {
            TypeKind::Reference { .. } | TypeKind::RawPointer { .. } | TypeKind::FnPointer(_) => {
                if part == Part::Pointer {
                    return true;
                }
            }
            TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Char => {
                if part == Part::Number {
                    return true;
                }
            }
            TypeKind::Parameter { .. } | TypeKind::Opaque(_) => return true,
            TypeKind::Bool
            | TypeKind::Never
            | TypeKind::Str
            | TypeKind::Dyn
            | TypeKind::FnItem(_) => {}
            TypeKind::Slice(element) | TypeKind::Array(element, _) => parts.push(*element),
            TypeKind::Tuple(all) => parts.extend(all),
            TypeKind::Closure { captures, .. } => parts.extend(captures),
            TypeKind::Coroutine { captures, saved, .. } => {
                parts.extend(captures.iter().chain(saved));
            }
            TypeKind::Struct(only) | TypeKind::Union(only) => {
                parts.extend(only.fields.iter().map(|it| it.ty));
            }
            TypeKind::Enum(variants) => {
                parts.extend(variants.iter().flat_map(|it| &it.fields).map(|it| it.ty));
            }
        }
        pending.extend(parts.into_iter().filter(|it| seen.insert(*it)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_the_last_part_of_their_paths() {
        assert_eq!(segments("<*const u8>::addr"), ["addr"]);
        assert_eq!(segments("core::ptr::eq::<[u8]>"), ["core", "ptr", "eq"]);
        assert!(gives_an_address("<*const u8>::addr"));
        assert!(gives_an_address("core::ptr::eq::<[u8]>"));
        assert!(gives_an_address("<core::fmt::rt::Argument>::new_pointer::<&u8>"));
        assert!(!gives_an_address("<[u8]>::len"));
        assert!(!gives_an_address("<alloc::vec::Vec<u8> as core::cmp::PartialEq>::eq"));
    }

    #[test]
    fn texts_hashes_and_orders_of_pointers_are_made_of_addresses() {
        assert!(is_made_of_an_address("<*const u8 as core::fmt::Debug>::fmt"));
        assert!(is_made_of_an_address("<&u8 as core::fmt::Pointer>::fmt"));
        assert!(is_made_of_an_address("<*mut u8 as core::hash::Hash>::hash::<H>"));
        assert!(!is_made_of_an_address("<&u8 as core::fmt::Debug>::fmt"));
        assert!(!is_made_of_an_address("<u8 as core::hash::Hash>::hash::<H>"));
    }
}
