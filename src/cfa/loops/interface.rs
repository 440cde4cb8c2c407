//! Which locals a loop reads and changes.

use fixedbitset::FixedBitSet;

use crate::cfa::graph::ReducibleCfa;
use crate::cfa::liveness::{Access, Liveness};
use crate::cfa::{LocalId, Location};

/// What goes into a loop and what comes out: see [`LoopFunction`](super::LoopFunction).
pub(super) struct Interface {
    pub params: Vec<LocalId>,
    pub results: Vec<LocalId>,
    pub shared: Vec<LocalId>,
}

impl Interface {
    /// Errs by taking in too many locals.
    pub fn new(
        cfa: &ReducibleCfa,
        liveness: &Liveness,
        body: &[Location],
        exits: &[Location],
    ) -> Interface {
        let accesses = |location| {
            let steps = cfa.graph().successors(location).iter();
            steps.map(|step| Access::of(&cfa.cfa().edges[step.edge.index()].op))
        };
        let [mut mentioned, mut written, mut shared, mut live_after] =
            <[FixedBitSet; 4]>::default();
        for &location in body {
            shared.union_with(liveness.exposed(location));
            for access in accesses(location) {
                insert(&mut mentioned, &access.reads);
                insert(&mut written, &access.writes);
                insert(&mut shared, &access.exposes);
            }
        }
        // What only clean-up exposes is not shared: nothing else of the function runs after it, so
        // that a copy serves.
        for access in clean_up(cfa, body).into_iter().flat_map(accesses) {
            insert(&mut mentioned, &access.reads);
            insert(&mut mentioned, &access.writes);
        }
        for &exit in exits {
            live_after.union_with(liveness.live(exit));
        }
        mentioned.union_with(&written);
        let header = body[0];
        let params = &(&mentioned & liveness.live(header)) | &shared;
        let results = &(&written & &live_after) | &shared;
        Interface { params: locals(&params), results: locals(&results), shared: locals(&shared) }
    }
}

/// The locations that run when something in the body unwinds.
fn clean_up(cfa: &ReducibleCfa, body: &[Location]) -> Vec<Location> {
    let steps = body.iter().flat_map(|&from| cfa.graph().successors(from));
    let mut pending: Vec<_> =
        steps.filter_map(|step| cfa.cfa().edges[step.edge.index()].op.unwind()).collect();
    let mut seen = FixedBitSet::with_capacity(cfa.graph().len());
    let mut found = Vec::new();
    while let Some(location) = pending.pop() {
        if !seen.put(location.index()) {
            found.push(location);
            let steps = cfa.graph().successors(location).iter();
            pending.extend(steps.map(|step| step.location));
        }
    }
    found
}

fn insert(set: &mut FixedBitSet, locals: &[LocalId]) {
    set.extend(locals.iter().map(|local| local.index()));
}

fn locals(set: &FixedBitSet) -> Vec<LocalId> {
    set.ones().map(|index| LocalId(index as u32)).collect()
}
