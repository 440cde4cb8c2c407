//! Loops that differ, run side by side: a relation between the two that every step keeps.
//!
//! A side that has left its loop stands still while the other goes on. `relation` makes the steps of
//! two loops side by side, `data` runs them on a few states, `facts` writes down the simple facts
//! that hold in all of these, and `houdini` keeps those that hold at first and that every step keeps
//! (differential assertion checking, section 5). Loops that run as others do are not looked at again:
//! `likeness` tells. What the facts say of the end of both loops becomes
//! known of the results; where that is not enough, `clauses` asks for a relation by Horn clauses.
//! Of loops that only count and add up, `closed` says at once what they give. `turn` is one turn of
//! any loop.

mod clauses;
mod closed;
mod data;
mod facts;
mod houdini;
mod likeness;
mod relation;
mod turn;

use self::facts::Effort;
use self::houdini::Relation;
pub use self::likeness::Forms;
use self::relation::Product;
use self::turn::Turn;
use super::attempt::{CONFIRM, Inputs, Run, Said, Shown};
use super::context::Context;
use super::matching::Matched;
use super::policy::{Depth, Known};
use crate::deadline::Deadline;
use crate::solver::{Answer, Solver, Term};
use crate::sym::Record;
use crate::version::Both;

/// What is known of a pair from its loops.
pub enum Related {
    Equal,
    /// A run on these inputs differs.
    Different(Inputs),
    Nothing,
}

/// Refutes the difference of a pair by what is known of the loops of the two sides whose results it
/// rests on.
///
/// Of inputs on which a loop does not end nothing is said. A loop of which nothing was found can
/// give anything, so that what is equal is so.
pub fn relate(
    context: &Context<'_>,
    matched: Matched,
    known: &Known<'_>,
    depth: &Depth,
    forms: &mut Forms,
    solver: &Solver,
    deadline: Deadline,
) -> Related {
    let Ok(mut run) = context.run(matched, known, depth, solver, deadline) else {
        return Related::Nothing;
    };
    if !halts_nowhere(&run, solver, deadline) {
        return Related::Nothing;
    }
    let pairs = pair_up(std::mem::take(&mut run.records));
    let turns: Vec<Both<Option<Turn>>> = (pairs.iter())
        .map(|pair| {
            Both::from_fn(|version| {
                let record = pair[version].as_ref()?;
                Turn::new(context, version, record, &mut run, (known, depth), (solver, deadline))
            })
        })
        .collect();
    let forms_of_loops = closed_forms(&mut run, &pairs, &turns, solver, deadline);
    let closed: Vec<Term> = forms_of_loops.iter().flat_map(|it| it.facts.clone()).collect();
    if !closed.is_empty() {
        let others = run.facts.len();
        run.facts.extend(&closed);
        let until = Deadline::after(deadline.left() / 3);
        let mut said = run.ask_for_difference(solver, until);
        if said.is_none() {
            return Related::Equal;
        }
        for short in [false, true] {
            if short {
                run.facts.extend(forms_of_loops.iter().map(|it| it.is_short));
                said = run.ask_for_difference(solver, until);
            }
            if let Some(Said::Maybe(assignment)) = &said {
                let inputs = run.inputs(assignment);
                if context.run_on(matched, &inputs, CONFIRM) == Shown::Different {
                    return Related::Different(inputs);
                }
            }
        }
        // They are about products: what turns keep is found without them.
        run.facts.truncate(others);
    }
    match is_refuted(&mut run, &pairs, &turns, &closed, forms, solver, deadline) {
        true => Related::Equal,
        false => Related::Nothing,
    }
}

/// Whether relations between the loops refute the difference.
fn is_refuted(
    run: &mut Run,
    pairs: &[Both<Option<Record>>],
    turns: &[Both<Option<Turn>>],
    closed: &[Term],
    forms: &mut Forms,
    solver: &Solver,
    deadline: Deadline,
) -> bool {
    let mut relations: Vec<Relation> = Vec::new();
    let all: Vec<&Record> = pairs.iter().flatten().flatten().collect();
    for (pair, turns) in pairs.iter().zip(turns) {
        let loops = pair.iter().zip(turns).filter(|(record, _)| record.is_some());
        let loops = loops.map(|(record, turn)| record.as_ref().zip(turn.as_ref()));
        let Some(loops) = loops.collect::<Option<Vec<_>>>() else { continue };
        let product = Product::new(run, &loops, &all);
        let relation = Relation::new(&mut run.terms, product, forms, solver);
        let Some(mut relation) = relation else { continue };
        relation.strengthen(&mut run.terms, Effort::Strongest, forms, solver, deadline);
        relation.tell(run);
        relations.push(relation);
    }
    if relations.is_empty() {
        return false;
    }
    run.facts.extend(closed);
    if run.is_difference_refuted(solver, deadline) {
        return true;
    }
    for relation in &mut relations {
        relation.strengthen(&mut run.terms, Effort::All, forms, solver, deadline);
        relation.tell(run);
    }
    if run.is_difference_refuted(solver, deadline) {
        return true;
    }
    match (pairs, &mut relations[..]) {
        ([_], [relation]) if relation.is_followed => {
            let seen = relation.was_seen_to_end();
            let Relation { product, facts, .. } = relation;
            product.matters_everywhere(run, solver, deadline)
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

/// The closed forms of the loops that have one.
fn closed_forms(
    run: &mut Run,
    pairs: &[Both<Option<Record>>],
    turns: &[Both<Option<Turn>>],
    solver: &Solver,
    deadline: Deadline,
) -> Vec<closed::Form> {
    let loops = pairs.iter().flatten().zip(turns.iter().flatten());
    let loops = loops.filter_map(|(record, turn)| record.as_ref().zip(turn.as_ref()));
    loops
        .filter_map(|(record, turn)| closed::form(&mut run.terms, record, turn, solver, deadline))
        .collect()
}

/// The loops that are run side by side: in the order in which they come, if there are as many on
/// both sides, and each alone otherwise.
fn pair_up(Both { old, new }: Both<Vec<Record>>) -> Vec<Both<Option<Record>>> {
    if old.len() == new.len() {
        return old
            .into_iter()
            .zip(new)
            .map(|(old, new)| Both::new(Some(old), Some(new)))
            .collect();
    }
    let old = old.into_iter().map(|it| Both::new(Some(it), None));
    old.chain(new.into_iter().map(|it| Both::new(None, Some(it)))).collect()
}

/// Whether every path of the run itself was followed.
fn halts_nowhere(run: &Run, solver: &Solver, deadline: Deadline) -> bool {
    run.halts.iter().flatten().all(|halt| {
        let mut asserted = run.facts.clone();
        asserted.push(halt.condition);
        matches!(solver.check(&run.terms, &asserted, deadline.left()), Answer::Unsat)
    })
}
