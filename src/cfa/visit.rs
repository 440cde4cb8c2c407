//! Walking over what stands in operations and programs: one place that knows where places, operands and
//! names of items can be.

use std::sync::Arc;

use super::{
    Body, Call, Callee, Condition, Listing, LocalId, Op, Operand, Place, Program, Projection,
    Rvalue, TypeKind,
};
use crate::reason::{GenericCode, Reason};

/// A text in which items are named.
pub trait Name {
    fn text(&self) -> &str;
    fn set(&mut self, text: String);
}

impl Name for String {
    fn text(&self) -> &str {
        self
    }

    fn set(&mut self, text: String) {
        *self = text;
    }
}

impl Name for Arc<str> {
    fn text(&self) -> &str {
        self
    }

    fn set(&mut self, text: String) {
        *self = text.into();
    }
}

/// How an operation uses a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Read,
    Write,
    /// A part of it that has no place of its own is written: the discriminant.
    Update,
    /// Its address is taken: it may be read and written at any later time.
    Address,
}

/// Walks over operations, for reading and for changing them: one text for both.
macro_rules! visitors {
    ($places:ident, $operands:ident, $place:ident, $names:ident $(, $mutable:tt)?) => {
        impl Program {
            /// Calls `visit` with every text in which items are named: by paths, as
            /// [`Type::name`](super::Type::name) has them. Left out are constants and the names of
            /// libraries and files.
            pub fn $names(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? dyn Name)) {
                for function in &$($mutable)? self.functions {
                    visit(&$($mutable)? function.name);
                    match &$($mutable)? function.body {
                        Body::Cfa(cfa) => {
                            for edge in &$($mutable)? cfa.edges {
                                match &$($mutable)? edge.op {
                                    Op::Call(Call { callee: Callee::Virtual { method, .. }, .. }) => {
                                        visit(method);
                                    }
                                    Op::Unsupported {
                                        reason: Reason::Generic(GenericCode::GivenType(name)),
                                        ..
                                    } => visit(name),
                                    _ => {}
                                }
                            }
                        }
                        Body::Supplied { impls, .. } => {
                            impls.into_iter().for_each(|it| visit(&$($mutable)? it.header));
                        }
                        _ => {}
                    }
                }
                for ty in &$($mutable)? self.types {
                    visit(&$($mutable)? ty.name);
                    if let TypeKind::Opaque(text) = &$($mutable)? ty.kind {
                        visit(text);
                    }
                }
                for item in &$($mutable)? self.statics {
                    visit(&$($mutable)? item.name);
                }
                for vtable in &$($mutable)? self.vtables {
                    visit(&$($mutable)? vtable.dyn_name);
                }
                for entry in &$($mutable)? self.entries {
                    visit(&$($mutable)? entry.name);
                    if let Listing::IfRedirected(to) = &$($mutable)? entry.listing {
                        visit(to);
                    }
                }
            }
        }

        impl Op {
            /// Calls `visit` with every place of the operation, those that it reads first.
            pub fn $places(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? Place, Use)) {
                match self {
                    Op::Assign(_, rvalue) => rvalue.$places(visit),
                    _ => self.$operands(&mut |operand| operand.$place(visit)),
                }
                match self {
                    Op::Assign(place, _) | Op::Call(Call { result: place, .. }) => {
                        visit(place, Use::Write);
                    }
                    Op::SetDiscriminant(place, _) => visit(place, Use::Update),
                    Op::Unsupported { writes, .. } => {
                        writes.into_iter().for_each(|place| visit(place, Use::Write));
                    }
                    Op::Nop
                    | Op::Assume(_)
                    | Op::CopyMemory { .. }
                    | Op::Panic { .. }
                    | Op::Resume
                    | Op::Abort
                    | Op::Unreachable => {}
                }
            }

            /// Calls `visit` with every operand of the operation.
            pub fn $operands(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? Operand)) {
                match self {
                    Op::Assign(_, rvalue) => rvalue.$operands(visit),
                    Op::Assume(Condition::Equals(operand, _) | Condition::NoneOf(operand, _)) => {
                        visit(operand);
                    }
                    Op::Call(Call { callee, args, .. }) => {
                        if let Callee::Pointer(operand) = callee {
                            visit(operand);
                        }
                        args.into_iter().for_each(visit);
                    }
                    Op::CopyMemory { from, to, count } => {
                        [from, to, count].into_iter().for_each(visit);
                    }
                    Op::Unsupported { reads, .. } => reads.into_iter().for_each(visit),
                    Op::Nop
                    | Op::SetDiscriminant(..)
                    | Op::Panic { .. }
                    | Op::Resume
                    | Op::Abort
                    | Op::Unreachable => {}
                }
            }
        }

        impl Rvalue {
            fn $places(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? Place, Use)) {
                match self {
                    Rvalue::Ref { place, .. } | Rvalue::RawPtr { place, .. } => {
                        visit(place, Use::Address);
                    }
                    Rvalue::Discriminant(place) => visit(place, Use::Read),
                    _ => self.$operands(&mut |operand| operand.$place(visit)),
                }
            }

            fn $operands(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? Operand)) {
                match self {
                    Rvalue::Use(operand)
                    | Rvalue::Repeat(operand, _)
                    | Rvalue::Cast(_, operand, _)
                    | Rvalue::Unary(_, operand)
                    | Rvalue::UnionField { value: operand, .. } => visit(operand),
                    Rvalue::Binary(_, left, right) => {
                        visit(left);
                        visit(right);
                    }
                    Rvalue::Aggregate { fields, .. } => fields.into_iter().for_each(visit),
                    Rvalue::Ref { .. }
                    | Rvalue::RawPtr { .. }
                    | Rvalue::ThreadLocal(_)
                    | Rvalue::Discriminant(_) => {}
                }
            }
        }

        impl Operand {
            fn $place(&$($mutable)? self, visit: &mut dyn FnMut(&$($mutable)? Place, Use)) {
                if let Operand::Read(place) = self {
                    visit(place, Use::Read);
                }
            }
        }
    };
}

visitors!(places, operands, place, names);
visitors!(places_mut, operands_mut, place_mut, names_mut, mut);

impl Op {
    /// Calls `visit` with every local whose value, or a part of it, the operation reads or leaves as
    /// it is: all that it names, but for those that it writes as a whole.
    pub fn needed_locals(&self, visit: &mut dyn FnMut(LocalId)) {
        self.places(&mut |place, kind| {
            place.index_locals().for_each(&mut *visit);
            if kind != Use::Write || !place.projections.is_empty() {
                visit(place.local);
            }
        });
    }

    /// Whether the operation [needs](Self::needed_locals) the value of a local.
    pub fn needs(&self, local: LocalId) -> bool {
        let mut found = false;
        self.needed_locals(&mut |it| found |= it == local);
        found
    }
}

impl Place {
    /// All locals that the place names: its own, then its indices.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> {
        [self.local].into_iter().chain(self.index_locals())
    }

    /// Calls `visit` with every one of the [locals](Self::locals), mutable.
    pub fn locals_mut(&mut self, visit: &mut dyn FnMut(&mut LocalId)) {
        visit(&mut self.local);
        for projection in &mut self.projections {
            if let Projection::Index(local) = projection {
                visit(local);
            }
        }
    }

    /// The locals that the place reads to find out where it is.
    pub fn index_locals(&self) -> impl Iterator<Item = LocalId> {
        self.projections.iter().filter_map(|projection| match projection {
            Projection::Index(local) => Some(*local),
            _ => None,
        })
    }

    pub fn derefs(&self) -> bool {
        self.projections.contains(&Projection::Deref)
    }

    /// The local that the place is, if it is one as a whole.
    pub fn as_local(&self) -> Option<LocalId> {
        self.projections.is_empty().then_some(self.local)
    }
}
