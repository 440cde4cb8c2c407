//! How the locals of a function are used, for passes that may only touch simple ones.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use crate::cfa::visit::Use;
use crate::cfa::{Cfa, Function, LocalId};

use super::cfa;

/// The uses of one local.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalUses {
    /// Assignments to the whole of it.
    pub assigned: u32,
    /// Assignments to a part of it.
    pub partly_assigned: u32,
    pub read: u32,
    /// Its address is taken, so that it may change out of sight.
    pub addressed: bool,
}

/// Whether each local has, at every read, the value of the latest run of one assignment that comes
/// before the read on all paths; or is a parameter that is never assigned.
///
/// If such a local is assigned from another one, the other has not changed where the first is read:
/// a path from a new assignment of the source to the read, around the copy, would be a path to the
/// read from the function's start, where the copy is not made yet.
pub fn constants(function: &Function) -> Vec<bool> {
    let mut constant: Vec<bool> = uses(function)
        .iter()
        .enumerate()
        .map(|(index, uses)| {
            let own = !is_param(function, LocalId(index as u32));
            !uses.addressed && uses.partly_assigned == 0 && uses.assigned <= u32::from(own)
        })
        .collect();
    let unassigned = maybe_unassigned(function);
    for edge in &cfa(function).edges {
        let unassigned = &unassigned[edge.from.index()];
        edge.op.needed_locals(&mut |local| {
            constant[local.index()] &= !unassigned.contains(local.index());
        });
    }
    constant
}

/// For each location, the locals that have no value there on some path. The compiler lets no local
/// be read before it is assigned, but where only a drop flag says which, there is such a path.
fn maybe_unassigned(function: &Function) -> Vec<FixedBitSet> {
    let locals = function.locals.len();
    let params = function.params as usize;
    let cfa = cfa(function);
    let mut assigned: Vec<Vec<usize>> = Vec::with_capacity(cfa.edges.len());
    let mut out = vec![Vec::new(); cfa.locations as usize];
    for (index, edge) in cfa.edges.iter().enumerate() {
        let mut whole = Vec::new();
        edge.op.places(&mut |place, kind| {
            if kind == Use::Write && place.projections.is_empty() {
                whole.push(place.local.index());
            }
        });
        assigned.push(whole);
        out[edge.from.index()].push(index);
    }
    let mut unassigned = vec![FixedBitSet::with_capacity(locals); cfa.locations as usize];
    let start = &mut unassigned[Cfa::ENTRY.index()];
    start.insert_range(..);
    start.remove_range(1..params + 1);
    let mut reached = vec![false; cfa.locations as usize];
    let mut queue = VecDeque::from([Cfa::ENTRY]);
    reached[Cfa::ENTRY.index()] = true;
    while let Some(at) = queue.pop_front() {
        for &index in &out[at.index()] {
            let edge = &cfa.edges[index];
            let before = unassigned[at.index()].clone();
            let mut after = before.clone();
            assigned[index].iter().for_each(|&local| after.remove(local));
            // A call that unwinds has not assigned its result.
            let unwound = edge.op.unwind().map(|location| (location, before));
            for (location, locals) in [(edge.to, after)].into_iter().chain(unwound) {
                let known = &mut unassigned[location.index()];
                let first = !std::mem::replace(&mut reached[location.index()], true);
                if first || !locals.is_subset(known) {
                    known.union_with(&locals);
                    queue.push_back(location);
                }
            }
        }
    }
    unassigned
}

/// The uses of every local.
pub fn uses(function: &Function) -> Vec<LocalUses> {
    let mut uses = vec![LocalUses::default(); function.locals.len()];
    for edge in &cfa(function).edges {
        edge.op.places(&mut |place, kind| {
            for local in place.index_locals() {
                uses[local.index()].read += 1;
            }
            let entry = &mut uses[place.local.index()];
            match kind {
                // To go through a pointer is to read it, whatever is done on the other side.
                _ if place.derefs() => entry.read += 1,
                Use::Read => entry.read += 1,
                Use::Address => entry.addressed = true,
                Use::Write if place.projections.is_empty() => entry.assigned += 1,
                Use::Write | Use::Update => entry.partly_assigned += 1,
            }
        });
    }
    uses
}

/// Whether the local is a parameter, or the place of the result.
pub fn is_param(function: &Function, local: LocalId) -> bool {
    local.0 != 0 && local.0 <= function.params
}
