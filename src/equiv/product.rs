//! Loops that differ, run side by side: a relation between the two that every step keeps.
//!
//! A side that has left its loop stands still while the other goes on. `relation` makes the steps of
//! two loops side by side, `data` runs them on a few states, `facts` writes down the simple facts
//! that hold in all of these, and `houdini` keeps those that hold at first and that every step keeps
//! (differential assertion checking, section 5). Loops that run as others do are not looked at again:
//! `likeness` tells. What the facts say of the end of both loops becomes
//! known of the results; where that is not enough, `clauses` asks for a relation by Horn clauses.

mod clauses;
mod data;
mod facts;
mod houdini;
mod likeness;
mod relation;

use std::time::Instant;

use self::facts::Effort;
use self::houdini::Relation;
pub use self::likeness::Forms;
use self::relation::Product;
use super::attempt::{Run, Sides};
use super::matching::Matched;
use super::policy::{Depth, Known};
use crate::solver::{Answer, Solver};
use crate::sym::Record;

/// Whether the difference of a pair is refuted by relations between the loops of the two sides whose
/// results it rests on.
///
/// Of inputs on which a loop does not end nothing is said. A loop of which nothing was found can
/// give anything, so yes is right.
pub fn proves(
    sides: &Sides<'_, '_>,
    matched: Matched,
    known: &Known<'_>,
    depth: &Depth,
    forms: &mut Forms,
    solver: &Solver,
    deadline: Instant,
) -> bool {
    let Ok(mut run) = sides.run(matched, known, depth, solver, deadline) else { return false };
    if !halts_nowhere(&run, solver, deadline) {
        return false;
    }
    let pairs = pair_up(std::mem::take(&mut run.records));
    let mut relations: Vec<Relation> = Vec::new();
    let all: Vec<&Record> = pairs.iter().flatten().flatten().collect();
    for pair in &pairs {
        let product = Product::new(sides, &mut run, pair, &all, known, depth, solver, deadline);
        let Some(product) = product else { continue };
        let relation = Relation::new(&mut run.terms, product, forms, solver);
        let Some(mut relation) = relation else { continue };
        relation.strengthen(&mut run.terms, Effort::Strongest, forms, solver, deadline);
        relation.tell(&mut run);
        relations.push(relation);
    }
    if relations.is_empty() {
        return false;
    }
    if run.is_difference_refuted(solver, deadline) {
        return true;
    }
    for relation in &mut relations {
        relation.strengthen(&mut run.terms, Effort::All, forms, solver, deadline);
        relation.tell(&mut run);
    }
    if run.is_difference_refuted(solver, deadline) {
        return true;
    }
    match (&pairs[..], &mut relations[..]) {
        ([_], [relation]) if relation.is_followed => {
            let seen = relation.was_seen_to_end();
            let Relation { product, facts, .. } = relation;
            product.matters_everywhere(&mut run, solver, deadline)
                && clauses::are_safe(&mut run.terms, product, facts, seen, solver, deadline)
        }
        _ => false,
    }
}

impl Relation {
    /// Makes known to the run what the loops give.
    fn tell(&self, run: &mut Run) {
        if self.is_followed {
            let ended = self.product.at_the_end(&mut run.terms, &self.facts);
            run.facts.extend(ended);
        }
    }
}

/// The loops that are run side by side: in the order in which they come, if there are as many on
/// both sides, and each alone otherwise.
fn pair_up([old, new]: [Vec<Record>; 2]) -> Vec<[Option<Record>; 2]> {
    if old.len() == new.len() {
        return old.into_iter().zip(new).map(|(old, new)| [Some(old), Some(new)]).collect();
    }
    let old = old.into_iter().map(|it| [Some(it), None]);
    old.chain(new.into_iter().map(|it| [None, Some(it)])).collect()
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

/// `CARGO_CSE_TRACE` lets provers tell what they do, for those who work on them.
pub fn trace(text: impl FnOnce() -> String) {
    if std::env::var_os("CARGO_CSE_TRACE").is_some() {
        eprintln!("{}", text());
    }
}
