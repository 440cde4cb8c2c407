//! Gives each value of a local a local of its own, where no read can see two of them.
//!
//! Errs towards leaving alone: locals whose address is taken, that are assigned in parts, or that a
//! large function has, keep their name. Takes for granted that a local is not read before it has a
//! value: paths on which it would be are not taken.

use super::locals::{LocalUses, is_param, uses};
use super::{cfa, cfa_mut};
use crate::cfa::visit::Use;
use crate::cfa::{Cfa, Function, LocalId, Op};

/// Larger functions are left alone: the analysis takes time for each local.
const MOST_EDGES: usize = 600;

pub fn run(function: &mut Function) {
    if cfa(function).edges.len() > MOST_EDGES {
        return;
    }
    let uses = uses(function);
    for (index, uses) in uses.iter().enumerate().skip(1) {
        let local = LocalId(index as u32);
        if !is_param(function, local) && is_simple(uses) {
            separate(function, local);
        }
    }
}

fn is_simple(uses: &LocalUses) -> bool {
    uses.assigned > 1 && uses.partly_assigned == 0 && !uses.addressed
}

fn separate(function: &mut Function, local: LocalId) {
    let cfa = cfa(function);
    let definitions: Vec<usize> =
        (0..cfa.edges.len()).filter(|&edge| writes(&cfa.edges[edge].op, local)).collect();
    let reaching = reaching(cfa, &definitions);
    // Definitions that one read can see stay together.
    let mut group: Vec<usize> = (0..definitions.len()).collect();
    for edge in &cfa.edges {
        if edge.op.needs(local) {
            let seen: Vec<usize> = ones(&reaching[edge.from.index()]).collect();
            let Some(&first) = seen.first() else { return };
            let (first, others) =
                (group[first], seen.iter().map(|&it| group[it]).collect::<Vec<_>>());
            for entry in &mut group {
                if others.contains(entry) {
                    *entry = first;
                }
            }
        }
    }
    let kept = group.first().copied();
    let mut names: Vec<Option<LocalId>> = vec![None; definitions.len()];
    let mut added = 0;
    for &leader in &group {
        if Some(leader) != kept && names[leader].is_none() {
            names[leader] = Some(LocalId(function.locals.len() as u32 + added));
            added += 1;
        }
    }
    for _ in 0..added {
        function.locals.push(function.locals[local.index()].clone());
    }
    let cfa = cfa_mut(function);
    for (index, edge) in cfa.edges.iter_mut().enumerate() {
        let of_reads = ones(&reaching[edge.from.index()]).next();
        let of_write = definitions.iter().position(|&it| it == index);
        rename(&mut edge.op, local, &|use_is_write| {
            let definition = if use_is_write { of_write } else { of_reads };
            definition.and_then(|it| names[group[it]])
        });
    }
}

/// For each location, the definitions whose value the local may have there, as bits.
fn reaching(cfa: &Cfa, definitions: &[usize]) -> Vec<Vec<u64>> {
    let words = definitions.len().div_ceil(64);
    let mut reaching = vec![vec![0u64; words]; cfa.locations as usize];
    let number = |edge: usize| definitions.iter().position(|&it| it == edge);
    let mut changed = true;
    while changed {
        changed = false;
        for (index, edge) in cfa.edges.iter().enumerate() {
            let before = reaching[edge.from.index()].clone();
            let mut after = before.clone();
            if let Some(definition) = number(index) {
                after.fill(0);
                after[definition / 64] |= 1 << (definition % 64);
            }
            // A call that unwinds has not assigned its result.
            let unwound = edge.op.unwind().map(|location| (location, before));
            for (location, bits) in [(edge.to, after)].into_iter().chain(unwound) {
                for (old, new) in reaching[location.index()].iter_mut().zip(bits) {
                    changed |= new & !*old != 0;
                    *old |= new;
                }
            }
        }
    }
    reaching
}

fn ones(bits: &[u64]) -> impl Iterator<Item = usize> {
    let all = bits.len() * 64;
    (0..all).filter(|&at| bits[at / 64] & (1 << (at % 64)) != 0)
}

fn writes(op: &Op, local: LocalId) -> bool {
    let mut found = false;
    op.places(&mut |place, kind| {
        found |= kind == Use::Write && place.as_local() == Some(local);
    });
    found
}

fn rename(op: &mut Op, local: LocalId, name: &dyn Fn(bool) -> Option<LocalId>) {
    op.places_mut(&mut |place, kind| {
        for projection in &mut place.projections {
            if let crate::cfa::Projection::Index(index) = projection
                && *index == local
                && let Some(new) = name(false)
            {
                *index = new;
            }
        }
        if place.local == local {
            let whole_write = kind == Use::Write && place.projections.is_empty();
            if let Some(new) = name(whole_write) {
                place.local = new;
            }
        }
    });
}
