//! Walking over what stands in operations: one place that knows where places, operands and
//! constants can be.

use super::{Call, Callee, Condition, LocalId, Op, Operand, Place, Projection, Rvalue};

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

impl Op {
    /// Calls `visit` with every place of the operation, mutable.
    pub fn places_mut(&mut self, visit: &mut dyn FnMut(&mut Place, Use)) {
        match self {
            Op::Nop | Op::Panic { .. } | Op::Resume | Op::Abort | Op::Unreachable => {}
            Op::Assign(place, rvalue) => {
                rvalue.places_mut(visit);
                visit(place, Use::Write);
            }
            Op::SetDiscriminant(place, _) => visit(place, Use::Update),
            Op::Assume(Condition::Equals(operand, _) | Condition::NoneOf(operand, _)) => {
                operand.place_mut(visit);
            }
            Op::Call(Call { callee, args, result, .. }) => {
                if let Callee::Pointer(operand) = callee {
                    operand.place_mut(visit);
                }
                for arg in args {
                    arg.place_mut(visit);
                }
                visit(result, Use::Write);
            }
            Op::CopyMemory { from, to, count } => {
                [from, to, count].into_iter().for_each(|operand| operand.place_mut(visit));
            }
            Op::Unsupported { reads, writes, .. } => {
                for operand in reads {
                    operand.place_mut(visit);
                }
                for place in writes {
                    visit(place, Use::Write);
                }
            }
        }
    }

    /// Calls `visit` with every operand of the operation, mutable.
    pub fn operands_mut(&mut self, visit: &mut dyn FnMut(&mut Operand)) {
        match self {
            Op::Assign(_, rvalue) => rvalue.operands_mut(visit),
            Op::Assume(Condition::Equals(operand, _) | Condition::NoneOf(operand, _)) => {
                visit(operand);
            }
            Op::Call(Call { callee, args, .. }) => {
                if let Callee::Pointer(operand) = callee {
                    visit(operand);
                }
                args.iter_mut().for_each(visit);
            }
            Op::CopyMemory { from, to, count } => {
                [from, to, count].into_iter().for_each(visit);
            }
            Op::Unsupported { reads, .. } => reads.iter_mut().for_each(visit),
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
    pub fn operands_mut(&mut self, visit: &mut dyn FnMut(&mut Operand)) {
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
            Rvalue::Aggregate { fields, .. } => fields.iter_mut().for_each(visit),
            Rvalue::Ref { .. }
            | Rvalue::RawPtr { .. }
            | Rvalue::ThreadLocal(_)
            | Rvalue::Discriminant(_) => {}
        }
    }

    fn places_mut(&mut self, visit: &mut dyn FnMut(&mut Place, Use)) {
        match self {
            Rvalue::Ref { place, .. } | Rvalue::RawPtr { place, .. } => visit(place, Use::Address),
            Rvalue::Discriminant(place) => visit(place, Use::Read),
            _ => self.operands_mut(&mut |operand| operand.place_mut(visit)),
        }
    }
}

impl Operand {
    fn place_mut(&mut self, visit: &mut dyn FnMut(&mut Place, Use)) {
        if let Operand::Read(place) = self {
            visit(place, Use::Read);
        }
    }
}

impl Place {
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
