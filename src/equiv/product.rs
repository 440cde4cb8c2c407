//! Loops that differ, run side by side: a relation between the two that every step keeps.
//!
//! A side that has left its loop stands still while the other goes on. The relation is looked for
//! first among simple facts (differential assertion checking, section 5), then by solving Horn
//! clauses with these as a start.

mod relation;
mod search;

use std::time::Instant;

use super::attempt::{Run, Sides};
use super::matching::Matched;
use super::policy::{Depth, Known};
use crate::solver::{Answer, Solver};

/// Whether the difference of a pair is refuted by a relation between one loop of each side whose
/// results it rests on.
///
/// Every loop that is not among these two can give anything, so yes is right.
pub fn proves(
    sides: &Sides<'_, '_>,
    matched: Matched,
    known: &Known<'_>,
    depth: &Depth,
    solver: &Solver,
    deadline: Instant,
) -> bool {
    let Ok(run) = sides.run(matched, known, depth, solver, deadline) else { return false };
    if !halts_nowhere(&run, solver, deadline) {
        return false;
    }
    let Some(product) = relation::Product::new(sides, run, known, depth, solver, deadline) else {
        return false;
    };
    search::finds(product, solver, deadline)
}

/// Whether every path of the run itself was followed.
fn halts_nowhere(run: &Run, solver: &Solver, deadline: Instant) -> bool {
    run.halts.iter().flatten().all(|halt| {
        let mut asserted = run.facts.clone();
        asserted.push(halt.condition);
        let left = deadline.saturating_duration_since(Instant::now());
        matches!(solver.check(&run.terms, &asserted, left), Answer::Unsat)
    })
}
