//! Whether code looks at addresses. Where something lies is the same in each run of one build, as far
//! as its last bits go, and can be another place in any other build: what native runs of two builds
//! show is then no difference between the versions.
//!
//! What std does with addresses on its own, such as to find out how a slice is aligned, shows in
//! nothing that it gives.

use std::collections::HashSet;

use crate::cfa::{
    BinaryOp, Body, CastKind, Entry, FnId, Function, Intrinsic, Op, Operand, Origin, Program,
    Projection, Rvalue, StdFn, TyId, TypeKind,
};
use crate::change::{ComparedProgram, Item, Pair};

/// A function through which an entry point looks at an address, in one of the versions. Errs towards
/// one that is there, but for foreign code and assembly.
pub fn looks_at_addresses(pair: &Pair<'_>, old: &Entry, new: &Entry) -> Option<String> {
    in_side(&pair.new, new).or_else(|| in_side(&pair.old, old))
}

fn in_side(side: &ComparedProgram<'_>, entry: &Entry) -> Option<String> {
    let program = side.program;
    let start: Item = entry.target.into();
    let mut seen = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(item) = pending.pop() {
        let shape = side.own_digest(item);
        if let Item::Function(id) = item {
            let function = program.function(id);
            let looks = match program.origin(function.krate) {
                Origin::Std => function.std == Some(StdFn::ShowAddress),
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

/// Whether code of others refers to functions of std that give or compare addresses.
fn calls_what_looks(program: &Program, refs: &[Item]) -> bool {
    let mut known = refs.iter().filter_map(|it| match it {
        Item::Function(id) => program.function(*id).std,
        _ => None,
    });
    known.any(StdFn::tells_address)
}

/// Whether a function itself turns addresses into numbers or compares them.
fn looks(program: &Program, function: &Function) -> bool {
    let Some(cfa) = function.cfa() else { return false };
    let of_operand = |operand: &Operand| program.operand_type(&function.locals, operand);
    let is_pointer = |operand: &Operand| {
        of_operand(operand).is_some_and(|ty| {
            matches!(program.ty(ty).kind, TypeKind::RawPointer { .. } | TypeKind::FnPointer { .. })
        })
    };
    cfa.edges.iter().any(|edge| {
        let mut through_union = false;
        edge.op.places(&mut |place, _| {
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

/// Whether it calls what sees a pointer as a number.
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
        let is_transmute = is_intrinsic || callee.std == Some(StdFn::Transmute);
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
            TypeKind::Reference { .. }
            | TypeKind::RawPointer { .. }
            | TypeKind::FnPointer { .. } => {
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
