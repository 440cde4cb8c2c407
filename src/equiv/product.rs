//! Loops that differ, run side by side: a relation between the two that every step keeps.
//!
//! A side that has left its loop stands still while the other goes on. `relation` makes the steps of
//! two loops side by side, `data` runs them on a few states, `facts` writes down the simple facts
//! that hold in all of these, and `houdini` keeps those that hold at first and that every step keeps
//! (differential assertion checking, section 5). Loops that run as others do are not looked at again:
//! `likeness` tells. What the facts say of the end of both loops becomes
//! known of the results; where that is not enough, `clauses` asks for a relation by Horn clauses.
//! Of loops that only count and add up, `closed` says at once what they give. `iteration` is one iteration of
//! any loop.

mod clauses;
mod closed;
mod data;
mod facts;
mod houdini;
mod iteration;
mod likeness;
mod relation;

use self::houdini::Relation;
use self::iteration::Iteration;
pub use self::likeness::LoopForms;
use self::relation::Product;
use super::attempt::{CONFIRM, Inputs, Question, Run, Said, Shown};
use super::context::Context;
use super::engines::{Effort, ProductMethod, ProductStep};
use super::matching::Matched;
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
/// rests on, step by step.
///
/// Of inputs on which a loop does not end nothing is said. A loop of which nothing was found can
/// give anything, so that what is equal is so.
pub fn relate(
    context: &Context<'_>,
    question: &Question<'_>,
    steps: &[ProductStep],
    forms: &mut LoopForms,
) -> Related {
    let Question { matched, solver, deadline, .. } = *question;
    let Ok(mut run) = context.run(question) else {
        return Related::Nothing;
    };
    if !is_complete(&run, solver, deadline) {
        return Related::Nothing;
    }
    let pairs = pair_up(std::mem::take(&mut run.records));
    let iterations = pairs.iter().map(|pair| {
        Both::from_fn(|version| {
            let record = pair[version].as_ref()?;
            Iteration::new(context, version, record, &mut run, question)
        })
    });
    let iterations = iterations.collect();
    let mut relating =
        Relating { run, pairs, iterations, closed: Vec::new(), relations: None, forms, solver };
    for step in steps {
        let until = Deadline::after(deadline.left() / step.share);
        let found = match step.method {
            ProductMethod::ClosedForms => relating.by_closed_forms(context, matched, until),
            ProductMethod::Facts(effort) => relating.by_facts(effort, until),
            ProductMethod::HornClauses => relating.by_clauses(until),
        };
        if !matches!(found, Related::Nothing) {
            return found;
        }
    }
    Related::Nothing
}

/// What was found so far of the loops that the difference of a run rests on.
struct Relating<'r> {
    run: Run,
    pairs: Vec<Both<Option<Record>>>,
    iterations: Vec<Both<Option<Iteration>>>,
    /// What closed forms say. It is about products, and what iterations keep is found without it.
    closed: Vec<Term>,
    /// None until facts are first looked for.
    relations: Option<Vec<Relation>>,
    forms: &'r mut LoopForms,
    solver: &'r Solver,
}

impl Relating<'_> {
    /// By the closed forms of the loops that have one.
    fn by_closed_forms(
        &mut self,
        context: &Context<'_>,
        matched: Matched,
        deadline: Deadline,
    ) -> Related {
        let loops = self.pairs.iter().flatten().zip(self.iterations.iter().flatten());
        let loops = loops.filter_map(|(record, iteration)| record.as_ref().zip(iteration.as_ref()));
        let terms = &mut self.run.terms;
        let closed: Vec<closed::ClosedForm> = loops
            .filter_map(|(record, iteration)| {
                closed::form(terms, record, iteration, self.solver, deadline)
            })
            .collect();
        self.closed = closed.iter().flat_map(|it| it.facts.clone()).collect();
        if self.closed.is_empty() {
            return Related::Nothing;
        }
        let others = self.run.facts.len();
        self.run.facts.extend(&self.closed);
        let found = self.ask_with_closed_forms(context, matched, &closed, deadline);
        self.run.facts.truncate(others);
        found
    }

    fn ask_with_closed_forms(
        &mut self,
        context: &Context<'_>,
        matched: Matched,
        closed: &[closed::ClosedForm],
        deadline: Deadline,
    ) -> Related {
        let run = &mut self.run;
        let mut said = run.ask_for_difference(self.solver, deadline);
        if said.is_none() {
            return Related::Equal;
        }
        for short in [false, true] {
            if short {
                run.facts.extend(closed.iter().map(|it| it.is_short));
                said = run.ask_for_difference(self.solver, deadline);
            }
            if let Some(Said::Maybe(assignment)) = &said {
                let inputs = run.inputs(assignment);
                if context.run_on(matched, &inputs, CONFIRM) == Shown::Different {
                    return Related::Different(inputs);
                }
            }
        }
        Related::Nothing
    }

    /// By facts that every iteration keeps.
    fn by_facts(&mut self, effort: Effort, deadline: Deadline) -> Related {
        let run = &mut self.run;
        match &mut self.relations {
            Some(relations) => {
                for relation in relations {
                    relation.strengthen(&mut run.terms, effort, self.forms, self.solver, deadline);
                    relation.add_to(run);
                }
            }
            None => {
                self.relations = Some(self.first_relations(effort, deadline));
                self.run.facts.extend(&self.closed);
            }
        }
        let has_relations = self.relations.as_ref().is_some_and(|it| !it.is_empty());
        match has_relations && self.run.is_difference_refuted(self.solver, deadline) {
            true => Related::Equal,
            false => Related::Nothing,
        }
    }

    /// What is found of each pair of loops is known when the next one is looked at.
    fn first_relations(&mut self, effort: Effort, deadline: Deadline) -> Vec<Relation> {
        let (run, solver) = (&mut self.run, self.solver);
        let mut relations = Vec::new();
        let all: Vec<&Record> = self.pairs.iter().flatten().flatten().collect();
        for (pair, iterations) in self.pairs.iter().zip(&self.iterations) {
            let loops = pair.iter().zip(iterations).filter(|(record, _)| record.is_some());
            let loops = loops.map(|(record, iteration)| record.as_ref().zip(iteration.as_ref()));
            let Some(loops) = loops.collect::<Option<Vec<_>>>() else { continue };
            let product = Product::new(run, &loops, &all);
            let relation = Relation::new(&mut run.terms, product, self.forms, solver);
            let Some(mut relation) = relation else { continue };
            relation.strengthen(&mut run.terms, effort, self.forms, solver, deadline);
            relation.add_to(run);
            relations.push(relation);
        }
        relations
    }

    /// By a relation that the solver finds.
    fn by_clauses(&mut self, deadline: Deadline) -> Related {
        let (run, solver) = (&mut self.run, self.solver);
        let ([_], Some([relation])) = (&self.pairs[..], self.relations.as_deref_mut()) else {
            return Related::Nothing;
        };
        let seen = relation.was_seen_to_end();
        let Relation { product, facts, is_followed, .. } = relation;
        let is_safe = *is_followed
            && product.matters_everywhere(run, solver, deadline)
            && clauses::are_safe(&mut run.terms, product, facts, seen, solver, deadline);
        if is_safe { Related::Equal } else { Related::Nothing }
    }
}

impl Relation {
    /// Makes known to the run what the loops give.
    fn add_to(&self, run: &mut Run) {
        if self.is_followed {
            let ended = self.product.at_the_end(&mut run.terms, &self.facts);
            run.facts.extend(ended);
        }
    }
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
fn is_complete(run: &Run, solver: &Solver, deadline: Deadline) -> bool {
    run.incomplete.iter().flatten().all(|path| {
        let mut asserted = run.facts.clone();
        asserted.push(path.condition);
        matches!(solver.check(&run.terms, &asserted, deadline.left()), Answer::Unsat)
    })
}
