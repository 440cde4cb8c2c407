//! Decides conditions on constants, and takes out the branches that are never taken.

use super::cfa_mut;
use crate::cfa::{Condition, Const, Function, Op, Operand};

pub fn run(function: &mut Function) {
    let cfa = cfa_mut(function);
    let decided: Vec<Option<bool>> = cfa.edges.iter().map(|edge| decide(&edge.op)).collect();
    let mut index = 0;
    cfa.edges.retain_mut(|edge| {
        let decision = decided[index];
        index += 1;
        if decision == Some(true) {
            edge.op = Op::Nop;
        }
        decision != Some(false)
    });
}

fn decide(op: &Op) -> Option<bool> {
    let Op::Assume(condition) = op else {
        return None;
    };
    let known = |operand: &Operand| match operand {
        Operand::Const(Const::Bits { bits, .. }) => Some(*bits),
        _ => None,
    };
    match condition {
        Condition::Equals(operand, value) => Some(known(operand)? == *value),
        Condition::NoneOf(operand, values) => Some(!values.contains(&known(operand)?)),
    }
}
