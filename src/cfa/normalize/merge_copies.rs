//! Makes one local of two, where one exists only to be copied into the other.
//!
//! `t = a` on one path, `t = b` on another, then `x = t`: the paths may as well assign `x`, if
//! nothing reads `x` between an assignment to `t` and the copy. In a loop something may: the former
//! value of `x`, after `t` got the value for the next turn.

use std::collections::HashSet;

use super::cfa_mut;
use super::locals::{LocalUses, is_param, uses};
use crate::cfa::visit::Use;
use crate::cfa::{Function, LocalId, Location, Op, Operand, Place, Projection, Rvalue};

pub fn run(function: &mut Function) {
    let mut uses = uses(function);
    let mut mentions = Mentions::of(function);
    for edge in 0..cfa_mut(function).edges.len() {
        let Some((from, into)) = mergeable(function, &uses, &mentions, edge) else { continue };
        let cfa = cfa_mut(function);
        cfa.edges[edge].op = Op::Nop;
        for edge in std::mem::take(&mut mentions.of_local[from.index()]) {
            cfa.edges[edge].op.places_mut(&mut |place, _| rename(place, from, into));
            mentions.of_local[into.index()].push(edge);
        }
        // The copy, which is gone, was the only assignment of one and the only read of the other.
        uses[into.index()].assigned = uses[from.index()].assigned;
        uses[from.index()] = LocalUses::default();
    }
}

fn rename(place: &mut Place, from: LocalId, into: LocalId) {
    if place.local == from {
        place.local = into;
    }
    for projection in &mut place.projections {
        if let Projection::Index(local) = projection
            && *local == from
        {
            *local = into;
        }
    }
}

/// Where to look for a local, and where to go on from a location.
struct Mentions {
    /// The edges that use each local.
    of_local: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
}

impl Mentions {
    fn of(function: &mut Function) -> Mentions {
        let mut of_local = vec![Vec::new(); function.locals.len()];
        let cfa = cfa_mut(function);
        let mut out = vec![Vec::new(); cfa.locations as usize];
        for (index, edge) in cfa.edges.iter_mut().enumerate() {
            out[edge.from.index()].push(index);
            edge.op.places_mut(&mut |place, _| {
                for local in place.index_locals().chain([place.local]) {
                    of_local[local.index()].push(index);
                }
            });
        }
        Mentions { of_local, out }
    }
}

/// The source and the target of a copy, if the two can be one.
fn mergeable(
    function: &mut Function,
    uses: &[LocalUses],
    mentions: &Mentions,
    edge: usize,
) -> Option<(LocalId, LocalId)> {
    let Op::Assign(into, Rvalue::Use(Operand::Read(from))) = &cfa_mut(function).edges[edge].op
    else {
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
    function: &mut Function,
    mentions: &Mentions,
    copy: usize,
    from: LocalId,
    into: LocalId,
) -> bool {
    let cfa = cfa_mut(function);
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
            let edge = &mut cfa.edges[index];
            let mut reads = false;
            edge.op.places_mut(&mut |place, kind| {
                let whole_write = kind == Use::Write && place.projections.is_empty();
                reads |= place.local == into && !whole_write;
                reads |= place.index_locals().any(|it| it == into);
            });
            if reads {
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
