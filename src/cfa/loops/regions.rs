//! Finds the parts of a function around calls that are to be outlined.

use fixedbitset::FixedBitSet;

use crate::cfa::graph::{Graph, ReducibleCfa};
use crate::cfa::liveness::Access;
use crate::cfa::{Cfa, Edge, LocalId, Location, Op};

/// Locations that control comes to only through the first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub body: Vec<Location>,
}

/// The regions around the operations that are asked for, as far as each is less than half of the
/// function. They do not overlap, and none is inside a loop.
///
/// A function is a sequence of steps, each a statement or what is between a branch and where its
/// arms meet. A region is a step that has such an operation in it, with the steps before from which
/// it gets what it uses and those after that use what it gives, up to where several regions' come
/// together.
pub fn around(cfa: &ReducibleCfa, is_asked_for: &dyn Fn(&Op) -> bool) -> Vec<Region> {
    if !cfa.cfa().edges.iter().any(|edge| is_asked_for(&edge.op)) {
        return Vec::new();
    }
    let steps = steps(cfa, is_asked_for);
    let all: usize = steps.iter().map(|it| it.edges).sum();
    let mut regions = Vec::new();
    let mut free = 0;
    // What comes out of the regions before.
    let mut given = FixedBitSet::new();
    for at in (0..steps.len()).filter(|&it| steps[it].is_asked_for) {
        let next = (at + 1..steps.len()).find(|&it| steps[it].is_asked_for);
        let first = at
            - reached(steps[free..at].iter().rev(), &steps[at].reads, |step| {
                (&step.writes, &step.reads)
            });
        let after = &steps[at + 1..next.unwrap_or(steps.len())];
        given.difference_with(&steps[at].writes);
        let own = after.iter().take_while(|step| step.reads.is_disjoint(&given));
        let last = at + reached(own, &steps[at].writes, |step| (&step.reads, &step.writes));
        free = last + 1;
        let inside = &steps[first..=last];
        inside.iter().for_each(|step| given.union_with(&step.writes));
        if inside.iter().map(|it| it.edges).sum::<usize>() * 2 < all {
            let body = inside.iter().flat_map(|it| it.locations.iter().copied()).collect();
            regions.push(Region { body });
        }
    }
    regions
}

/// How many steps it is to the last that has to do with some locals, or with what follows from them.
fn reached<'s>(
    steps: impl Iterator<Item = &'s Step>,
    from: &FixedBitSet,
    ends: impl Fn(&'s Step) -> (&'s FixedBitSet, &'s FixedBitSet),
) -> usize {
    let mut about = from.clone();
    let mut last = 0;
    for (number, step) in steps.enumerate() {
        let (near, far) = ends(step);
        if !near.is_disjoint(&about) {
            about.union_with(far);
            last = number + 1;
        }
    }
    last
}

/// What every run that returns passes as a whole.
struct Step {
    /// The first is the only way in.
    locations: Vec<Location>,
    edges: usize,
    is_asked_for: bool,
    reads: FixedBitSet,
    writes: FixedBitSet,
}

fn steps(cfa: &ReducibleCfa, is_asked_for: &dyn Fn(&Op) -> bool) -> Vec<Step> {
    let starts = starts(cfa);
    // Clean-up is in no step; checks that panic are.
    let graph = Graph::new(cfa.cfa());
    let dominators = graph.dominators();
    let mut step_of: Vec<Option<usize>> = vec![None; graph.len()];
    for (number, start) in starts.iter().enumerate() {
        step_of[start.index()] = Some(number);
    }
    let mut steps: Vec<Step> = starts.iter().map(|_| Step::default()).collect();
    for &location in graph.reverse_postorder() {
        let above = dominators.immediate(location).and_then(|it| step_of[it.index()]);
        let Some(number) = step_of[location.index()].or(above) else { continue };
        step_of[location.index()] = Some(number);
        if location == graph.exit() {
            continue;
        }
        let step = &mut steps[number];
        step.locations.push(location);
        for found in graph.successors(location) {
            step.add(&cfa.cfa().edges[found.edge.index()], is_asked_for);
        }
    }
    steps
}

/// The locations outside of loops that every run passes which returns, but for the last.
fn starts(cfa: &ReducibleCfa) -> Vec<Location> {
    let graph = Graph::without_panics(cfa.cfa());
    if !graph.is_reachable(graph.exit()) {
        return vec![Cfa::ENTRY];
    }
    let dominators = graph.dominators();
    let mut starts = Vec::new();
    let mut next = dominators.immediate(graph.exit());
    while let Some(location) = next {
        if cfa.loops().around(location).next().is_none() {
            starts.push(location);
        }
        next = dominators.immediate(location);
    }
    starts.reverse();
    starts
}

impl Default for Step {
    fn default() -> Step {
        let none = FixedBitSet::new;
        Step { locations: Vec::new(), edges: 0, is_asked_for: false, reads: none(), writes: none() }
    }
}

impl Step {
    fn add(&mut self, edge: &Edge, is_asked_for: &dyn Fn(&Op) -> bool) {
        self.edges += 1;
        self.is_asked_for |= is_asked_for(&edge.op);
        let access = Access::of(&edge.op);
        let add = |set: &mut FixedBitSet, locals: &[LocalId]| {
            locals.iter().for_each(|local| set.grow_and_insert(local.index()));
        };
        add(&mut self.reads, &access.reads);
        add(&mut self.writes, &access.writes);
        // Whoever has the address can do both.
        add(&mut self.reads, &access.exposes);
        add(&mut self.writes, &access.exposes);
    }
}
