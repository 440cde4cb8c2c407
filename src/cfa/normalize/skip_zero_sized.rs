//! Treats values without content as known: the compiler leaves out some of the steps that move them,
//! and which ones depends on whether it saw the type.

use super::cfa_mut;
use crate::cfa::{Const, Function, Op, Operand, Program, Rvalue};

pub fn run(program: &Program, function: &mut Function) {
    let locals = function.locals.clone();
    for edge in &mut cfa_mut(function).edges {
        edge.op.operands_mut(&mut |operand| {
            if let Operand::Read(place) = operand
                && let Some(ty) = program.place_type(&locals, place.local, &place.projections)
                && program.is_zero_sized(ty)
            {
                *operand = Operand::Const(Const::ZeroSized(ty));
            }
        });
        if let Op::Assign(place, Rvalue::Use(_) | Rvalue::Aggregate { .. }) = &edge.op
            && let Some(ty) = program.place_type(&locals, place.local, &place.projections)
            && program.is_zero_sized(ty)
        {
            edge.op = Op::Nop;
        }
    }
}
