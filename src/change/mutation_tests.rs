//! Classes against execution: functions of one class do the same on every input.

use std::collections::HashSet;

use proptest::prelude::*;

use super::classes::{Items, classes};
use super::digest::{DigestContext, Item};
use crate::cfa::normalize::Depth;
use crate::cfa::testing::library::{CALLEES, program, signature};
use crate::cfa::testing::machine::{Behaviour, Outcome, run};
use crate::cfa::testing::{any_statements, cases, function};
use crate::cfa::{
    BinaryOp, Body, Callee, Cfa, Condition, Const, FnId, Function, LocalId, Op, Operand, Program,
    Projection, Rvalue,
};
use crate::version::Both;

const TESTED: FnId = FnId(CALLEES);
const INPUTS: u32 = 8;

fn program_with(function: &Function) -> Program {
    let mut program = program();
    program.functions.push(function.clone());
    program
}

fn are_equal(old: &Program, new: &Program, depth: Depth) -> bool {
    let programs = Both::new(old, new);
    let items = Both::from_fn(|version| {
        let context = DigestContext {
            foreign_code_moves: false,
            version,
            added: HashSet::new(),
            moving: HashSet::new(),
        };
        Items::of(programs[version], &context).at(programs[version], |_| depth, &context)
    });
    let tested = items.old.index(Item::Function(TESTED));
    let Both { old, new } = classes(items.as_ref());
    old[tested] == new[tested]
}

fn behaviours(function: &Function, fuel: u32) -> Vec<Behaviour> {
    let program = program();
    (0..INPUTS).map(|input| run(&program, function, input, fuel)).collect()
}

/// The function with one thing in it changed, if there is such a thing at that edge.
fn mutated(function: &Function, [edge, how, pick]: [u16; 3]) -> Option<Function> {
    let mut function = function.clone();
    let locals = function.locals.clone();
    let Body::Cfa(cfa) = &mut function.body else { return None };
    let edge = edge as usize % cfa.edges.len();
    match how % 8 {
        0 => cfa.edges[edge].op = Op::Nop,
        1 => return swap_with_next(cfa, edge).then_some(function),
        2 => return swap_branches(cfa, edge).then_some(function),
        3 => match &mut cfa.edges[edge].op {
            Op::Call(call) => {
                let Callee::Function(callee) = &mut call.callee else { return None };
                let same: Vec<FnId> = (0..CALLEES)
                    .map(FnId)
                    .filter(|&it| it != *callee && signature(it) == signature(*callee))
                    .collect();
                *callee = *same.get(pick as usize % same.len().max(1))?;
            }
            Op::Panic { unwind } => *unwind = None,
            Op::SetDiscriminant(_, variant) => *variant ^= 1,
            _ => return None,
        },
        4 => match &mut cfa.edges[edge].op {
            Op::Assign(_, Rvalue::Binary(op, ..)) => {
                let other = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Lt][pick as usize % 3];
                *op = other;
            }
            Op::Assume(Condition::Equals(_, value)) => *value += 1,
            Op::Call(call) => call.unwind = None,
            _ => return None,
        },
        5 => {
            let mut changed = false;
            cfa.edges[edge].op.operands_mut(&mut |operand| {
                if let Operand::Const(Const::Bits { bits, .. }) = operand
                    && !changed
                {
                    *bits = (*bits + 1) % 8;
                    changed = true;
                }
            });
            return changed.then_some(function);
        }
        _ => {
            let mut seen = 0;
            cfa.edges[edge].op.places_mut(&mut |place, _| {
                seen += 1;
                if seen % 3 != pick % 3 {
                    return;
                }
                match place.projections.last_mut() {
                    // Both fields of a pair, and of the variant with two, have one type.
                    Some(Projection::ConstantIndex { offset, .. }) => *offset = 3 - *offset,
                    Some(Projection::Index(local)) => *local = LocalId(1 + u32::from(pick) % 2),
                    _ => {
                        let ty = locals[place.local.index()].ty;
                        let same: Vec<usize> =
                            (0..locals.len()).filter(|&it| locals[it].ty == ty).collect();
                        place.local = LocalId(same[pick as usize / 3 % same.len()] as u32);
                    }
                }
            });
        }
    }
    Some(function)
}

fn swap_with_next(cfa: &mut Cfa, first: usize) -> bool {
    let to = cfa.edges[first].to;
    let next: Vec<usize> = (0..cfa.edges.len()).filter(|&it| cfa.edges[it].from == to).collect();
    let movable = |op: &Op| matches!(op, Op::Assign(..) | Op::Call(_) | Op::SetDiscriminant(..));
    match next[..] {
        [next] if movable(&cfa.edges[first].op) && movable(&cfa.edges[next].op) => {
            let op = cfa.edges[first].op.clone();
            cfa.edges[first].op = std::mem::replace(&mut cfa.edges[next].op, op);
            true
        }
        _ => false,
    }
}

fn swap_branches(cfa: &mut Cfa, first: usize) -> bool {
    let from = cfa.edges[first].from;
    let other = (0..cfa.edges.len()).find(|&it| it != first && cfa.edges[it].from == from);
    let Some(other) = other else { return false };
    let to = cfa.edges[first].to;
    cfa.edges[first].to = cfa.edges[other].to;
    cfa.edges[other].to = to;
    true
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn a_change_that_shows_changes_the_class(
        result in any::<u8>(),
        statements in any_statements(),
        mutations in proptest::collection::vec(any::<[u16; 3]>(), 6),
    ) {
        let function = function(result, &statements);
        let old = behaviours(&function, 200);
        let old_program = program_with(&function);
        for mutation in mutations {
            let Some(changed) = mutated(&function, mutation) else { continue };
            let new = behaviours(&changed, 1500);
            if new.iter().any(|it| matches!(it.outcome, Outcome::Undefined(_))) {
                continue;
            }
            let shows = old.iter().zip(&new).any(|(old, new)| !old.allows(new));
            let new_program = program_with(&changed);
            for depth in [Depth::AsLowered, Depth::Own, Depth::WithWrappers] {
                let equal = are_equal(&old_program, &new_program, depth);
                prop_assert!(!(shows && equal), "{depth:?} hides {mutation:?}:\n{function:?}");
            }
        }
    }
}
