//! Turns casts to the type that a value already has into plain uses.

use super::cfa_mut;
use crate::cfa::{CastKind, Function, Op, Program, Rvalue};

pub fn run(program: &Program, function: &mut Function) {
    let locals = function.locals.clone();
    for edge in &mut cfa_mut(function).edges {
        let Op::Assign(_, rvalue) = &mut edge.op else {
            continue;
        };
        let Rvalue::Cast(kind, operand, to) = rvalue else {
            continue;
        };
        let keeps_value =
            matches!(kind, CastKind::IntToInt | CastKind::PtrToPtr | CastKind::Transmute);
        if keeps_value && program.operand_type(&locals, operand) == Some(*to) {
            *rvalue = Rvalue::Use(operand.clone());
        }
    }
}
