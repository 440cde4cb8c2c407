//! Graphs for the tests: written down, and random.

use proptest::prelude::*;

use super::Graph;
use crate::cfa::{Cfa, Edge, Location, Op, Span};

pub fn cfa(locations: u32, edges: &[(u32, u32)]) -> Cfa {
    let edge = |&(from, to): &(u32, u32)| Edge {
        from: Location(from),
        to: Location(to),
        op: Op::Nop,
        span: Span::UNKNOWN,
    };
    Cfa { locations, edges: edges.iter().map(edge).collect() }
}

/// Any automaton whose final location has no way on: reducible or not, with parallel edges, self
/// loops, unreachable locations and cycles that cannot be left.
pub fn any_cfa() -> impl Strategy<Value = Cfa> {
    (2..9u32).prop_flat_map(|locations| {
        let edge = (0..locations - 1, 0..locations);
        proptest::collection::vec(edge, 0..16).prop_map(move |edges| cfa(locations, &edges))
    })
}

/// The locations that `start` leads to, itself among them, on paths that do not touch `without`.
pub fn reach(graph: &Graph, start: Location, without: Option<Location>) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut pending = vec![start];
    while let Some(location) = pending.pop() {
        if Some(location) != without && !std::mem::replace(&mut seen[location.index()], true) {
            pending.extend(graph.successors(location).iter().map(|step| step.location));
        }
    }
    seen
}

pub fn locations(graph: &Graph) -> impl Iterator<Item = Location> + use<> {
    (0..graph.len() as u32).map(Location)
}
