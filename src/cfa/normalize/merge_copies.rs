//! Makes one local of two, where one exists only to be copied into the other.
//!
//! `t = a` on one path, `t = b` on another, then `x = t`: the paths may as well assign `x`, if
//! nothing reads `x` between an assignment to `t` and the copy. In a loop something may: the former
//! value of `x`, after `t` got the value for the next iteration.

use std::collections::HashSet;

use super::locals::{LocalUses, is_param, uses};
use super::{cfa, cfa_mut};
use crate::cfa::{Function, LocalId, Location, Op, Operand, Rvalue};

pub fn run(function: &mut Function) {
    let mut uses = uses(function);
    let mut mentions = Mentions::of(function);
    for edge in 0..cfa(function).edges.len() {
        let Some((from, into)) = mergeable(function, &uses, &mentions, edge) else { continue };
        let cfa = cfa_mut(function);
        cfa.edges[edge].op = Op::Nop;
        for edge in std::mem::take(&mut mentions.of_local[from.index()]) {
            cfa.edges[edge].op.places_mut(&mut |place, _| {
                place.locals_mut(&mut |local| {
                    if *local == from {
                        *local = into;
                    }
                });
            });
            mentions.of_local[into.index()].push(edge);
        }
        // The copy, which is gone, was the only assignment of one and the only read of the other.
        uses[into.index()].assigned = uses[from.index()].assigned;
        uses[from.index()] = LocalUses::default();
    }
}

/// Where to look for a local, and where to go on from a location.
struct Mentions {
    /// The edges that use each local.
    of_local: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
}

impl Mentions {
    fn of(function: &Function) -> Mentions {
        let mut of_local = vec![Vec::new(); function.locals.len()];
        let cfa = cfa(function);
        let mut out = vec![Vec::new(); cfa.locations as usize];
        for (index, edge) in cfa.edges.iter().enumerate() {
            out[edge.from.index()].push(index);
            edge.op.places(&mut |place, _| {
                place.locals().for_each(|local| of_local[local.index()].push(index));
            });
        }
        Mentions { of_local, out }
    }
}

/// The source and the target of a copy, if the two can be one.
fn mergeable(
    function: &Function,
    uses: &[LocalUses],
    mentions: &Mentions,
    edge: usize,
) -> Option<(LocalId, LocalId)> {
    let Op::Assign(into, Rvalue::Use(Operand::Read(from))) = &cfa(function).edges[edge].op else {
        return None;
    };
    let (from, into) = (from.as_local()?, into.as_local()?);
    let (source, target) = (&uses[from.index()], &uses[into.index()]);
    let plain = |local: LocalId| !is_param(function, local) && from != into;
    let can_be_one = plain(from)
        && plain(into)
        && from.0 != 0
        && function.locals[from.index()].ty == function.locals[into.index()].ty
        && (source.read == 1 && source.partly_assigned == 0 && !source.addressed)
        && (target.assigned == 1 && target.partly_assigned == 0 && !target.addressed);
    (can_be_one && !is_read_before_copy(function, mentions, edge, from, into))
        .then_some((from, into))
}

/// Whether, after an assignment to `from`, something may read `into` before the copy is made.
fn is_read_before_copy(
    function: &Function,
    mentions: &Mentions,
    copy: usize,
    from: LocalId,
    into: LocalId,
) -> bool {
    let cfa = cfa(function);
    let exit = cfa.exit();
    let definitions = mentions.of_local[from.index()].iter().filter(|&&edge| edge != copy);
    let mut stack: Vec<Location> = definitions.map(|&edge| cfa.edges[edge].to).collect();
    let mut reached = HashSet::new();
    while let Some(at) = stack.pop() {
        if !reached.insert(at) {
            continue;
        }
        // The caller reads the result.
        if at == exit && into.0 == 0 {
            return true;
        }
        for &index in mentions.out[at.index()].iter().filter(|&&index| index != copy) {
            let edge = &cfa.edges[index];
            if edge.op.needs(into) {
                return true;
            }
            if !edge.op.ends_function() {
                stack.push(edge.to);
            }
            stack.extend(edge.op.unwind());
        }
    }
    false
}
