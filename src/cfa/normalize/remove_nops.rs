//! Takes out edges that do nothing, clean-up that does nothing, and what cannot be reached.

use super::cfa_mut;
use crate::cfa::{Cfa, Function, Location, Op};

pub fn run(function: &mut Function) {
    let cfa = cfa_mut(function);
    let out = only_edge_out(cfa);
    let targets = follow_nops(cfa, &out);
    let resumes: Vec<bool> = targets
        .iter()
        .map(|at| out[at.index()].is_some_and(|edge| cfa.edges[edge].op == Op::Resume))
        .collect();
    for edge in &mut cfa.edges {
        edge.to = targets[edge.to.index()];
        if let Op::Call(crate::cfa::Call { unwind, .. }) | Op::Panic { unwind } = &mut edge.op
            && let Some(location) = *unwind
        {
            // Clean-up that only goes on unwinding is none.
            *unwind = (!resumes[location.index()]).then(|| targets[location.index()]);
        }
    }
    start_at_first_operation(cfa, targets[Cfa::ENTRY.index()]);
    retain_reachable(cfa);
}

/// For each location, the first one from there where something happens.
fn follow_nops(cfa: &Cfa, out: &[Option<usize>]) -> Vec<Location> {
    let next = |location: Location| {
        let edge = &cfa.edges[out[location.index()]?];
        (edge.op == Op::Nop).then_some(edge.to)
    };
    let mut targets: Vec<Option<Location>> = vec![None; cfa.locations as usize];
    // The number of the walk that met a location.
    let mut met = vec![u32::MAX; cfa.locations as usize];
    for start in 0..cfa.locations {
        let mut walk = Vec::new();
        let mut at = Location(start);
        let target = loop {
            if let Some(target) = targets[at.index()] {
                break target;
            }
            if met[at.index()] == start {
                // Nops can stand in a ring (`loop {}`): its smallest location represents it.
                let ring = walk.iter().skip_while(|&&it| it != at);
                break ring.copied().min().expect("the walk came by here");
            }
            met[at.index()] = start;
            walk.push(at);
            match next(at) {
                Some(to) => at = to,
                None => break at,
            }
        };
        walk.iter().for_each(|location| targets[location.index()] = Some(target));
    }
    targets.into_iter().map(|target| target.expect("a walk starts at each location")).collect()
}

/// Makes `first`, where the function's first operation is, the initial location.
fn start_at_first_operation(cfa: &mut Cfa, first: Location) {
    if first == Cfa::ENTRY || first == cfa.exit() {
        return;
    }
    // Nothing leads to the initial location any more: it can take the other's place.
    cfa.edges.retain(|edge| edge.from != Cfa::ENTRY);
    let rename = |location: &mut Location| {
        if *location == first {
            *location = Cfa::ENTRY;
        }
    };
    for edge in &mut cfa.edges {
        rename(&mut edge.from);
        rename(&mut edge.to);
        if let Op::Call(crate::cfa::Call { unwind: Some(unwind), .. })
        | Op::Panic { unwind: Some(unwind) } = &mut edge.op
        {
            rename(unwind);
        }
    }
}

fn retain_reachable(cfa: &mut Cfa) {
    let mut successors = vec![Vec::new(); cfa.locations as usize];
    for edge in &cfa.edges {
        successors[edge.from.index()].push(edge.to);
        successors[edge.from.index()].extend(edge.op.unwind());
    }
    let mut reached = vec![false; cfa.locations as usize];
    let mut stack = vec![Cfa::ENTRY];
    while let Some(location) = stack.pop() {
        if !std::mem::replace(&mut reached[location.index()], true) {
            stack.extend(&successors[location.index()]);
        }
    }
    cfa.edges.retain(|edge| reached[edge.from.index()]);
}

/// For each location the edge that leaves it, if there is exactly one.
pub fn only_edge_out(cfa: &Cfa) -> Vec<Option<usize>> {
    let mut out = vec![None; cfa.locations as usize];
    let mut count = vec![0; cfa.locations as usize];
    for (index, edge) in cfa.edges.iter().enumerate() {
        out[edge.from.index()] = Some(index);
        count[edge.from.index()] += 1;
    }
    for (edge, count) in out.iter_mut().zip(count) {
        if count != 1 {
            *edge = None;
        }
    }
    out
}
