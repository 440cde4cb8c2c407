//! Facts that hold at first and that every step keeps, of many simple ones (Houdini).

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use tracing::debug;

use super::data::{self, Data};
use super::facts::candidates;
use super::likeness::{LoopForm, LoopForms, form};
use super::relation::Product;
use crate::deadline::Deadline;
use crate::equiv::engines::Effort;
use crate::solver::{Answer, Solver, Term, Terms};

const QUERY: Duration = Duration::from_millis(500);

/// What is known of two loops side by side.
pub struct Relation {
    pub product: Product,
    /// None where the facts of loops like these served so far.
    data: Option<Data>,
    /// For each mode, facts that hold whenever the loops are in it.
    ///
    /// Every fact follows from the first state and is kept by every step, as the solver said: the
    /// candidates only come from states that were seen. Nothing is claimed of what is not entered.
    pub facts: Vec<Vec<Term>>,
    /// Whether these rule out all paths that were not followed.
    pub is_followed: bool,
    /// How far it went, here or for loops that are like these.
    done: Option<Effort>,
    form: LoopForm,
    variables: Vec<Term>,
}

impl Relation {
    /// Nothing is known yet but what was found of loops like these. None if the loops were seen to end
    /// with different outcomes, or not seen at all.
    pub fn new(
        terms: &mut Terms,
        mut product: Product,
        forms: &LoopForms,
        solver: &Solver,
    ) -> Option<Relation> {
        let (form, variables) = form(terms, &product);
        let found = forms.find(terms, &form, &variables);
        let (data, known) = match found {
            Some(known) => (None, Some(known)),
            None => (Some(data::collect(terms, &product, solver)), None),
        };
        if data.as_ref().is_some_and(|data| data.rows[0].is_empty() || data.differs) {
            return None;
        }
        let (facts, is_followed, done) =
            known.unwrap_or_else(|| (around(terms, &product), false, None));
        product.abstract_arithmetic(terms);
        Some(Relation { product, data, facts, is_followed, done, form, variables })
    }

    /// Whether all loops came to an end in one of the runs.
    pub fn was_seen_to_end(&self) -> bool {
        let rows = self.data.as_ref().and_then(|data| data.rows.last());
        rows.is_some_and(|rows| !rows.is_empty())
    }

    /// Tries more facts, unless that was done for loops that are like these.
    pub fn strengthen(
        &mut self,
        terms: &mut Terms,
        effort: Effort,
        forms: &mut LoopForms,
        solver: &Solver,
        deadline: Deadline,
    ) {
        if self.done.is_some_and(|done| done >= effort) || deadline.is_over() {
            return;
        }
        if let Some((facts, is_followed, done)) = forms.find(terms, &self.form, &self.variables)
            && done.is_some_and(|done| done >= effort)
        {
            (self.facts, self.is_followed, self.done) = (facts, is_followed, done);
            return;
        }
        let started = Instant::now();
        let data = self.data.get_or_insert_with(|| data::collect(terms, &self.product, solver));
        let tried = candidates(terms, &self.product, data, effort);
        let numbers = |of: &[Vec<Term>]| of.iter().map(Vec::len).collect::<Vec<_>>();
        let before = numbers(&tried);
        let is_over = !strengthen(terms, &self.product, &mut self.facts, tried, solver, deadline);
        self.is_followed = self.product.is_followed(terms, &self.facts, solver, deadline);
        if !is_over {
            self.done = Some(effort);
            let (facts, is_followed) = (&self.facts, self.is_followed);
            forms.keep(terms, &self.form, &self.variables, facts, is_followed, effort);
        }
        let (hold, time) = (numbers(&self.facts), started.elapsed());
        debug!(tried = ?before, ?hold, ?time, "facts that every step keeps");
    }
}

/// What is known without looking: the variables around the loops stay as they are.
fn around(terms: &Terms, product: &Product) -> Vec<Vec<Term>> {
    let fixed: HashSet<Term> = product.fixed.iter().copied().collect();
    let mut variables = terms.variables(&[product.entered]).into_iter();
    let is_fixed = variables.all(|var| fixed.contains(&terms.var_term(var)));
    let known = if is_fixed { vec![product.entered] } else { Vec::new() };
    vec![known; product.modes.len()]
}

/// A way from one mode to another, or into the first.
struct Transition {
    from: Option<usize>,
    to: usize,
    asserted: Vec<Term>,
    next: HashMap<Term, Term>,
}

/// Adds those of the facts that hold; false if the time is over before that is known, and nothing is
/// added then.
fn strengthen(
    terms: &mut Terms,
    product: &Product,
    known: &mut [Vec<Term>],
    mut facts: Vec<Vec<Term>>,
    solver: &Solver,
    deadline: Deadline,
) -> bool {
    for (facts, known) in facts.iter_mut().zip(&*known) {
        facts.retain(|it| !known.contains(it));
    }
    let transitions = transitions(product, known);
    let mut stale = vec![true; transitions.len()];
    while let Some(index) = stale.iter().position(|stale| *stale) {
        stale[index] = false;
        let transition = &transitions[index];
        let mut asserted = transition.asserted.clone();
        if let Some(from) = transition.from {
            asserted.extend(&facts[from]);
        }
        let before = facts[transition.to].len();
        let kept = keep(terms, transition, asserted, &facts[transition.to], solver, deadline);
        let Some(kept) = kept else { return false };
        if kept.len() < before {
            facts[transition.to] = kept;
            for (stale, other) in stale.iter_mut().zip(&transitions) {
                *stale |= other.from == Some(transition.to);
            }
        }
    }
    for (known, facts) in known.iter_mut().zip(facts) {
        known.extend(facts);
    }
    true
}

fn transitions(product: &Product, known: &[Vec<Term>]) -> Vec<Transition> {
    let first = (None, product.entered, 0, &product.first);
    let steps = product.steps.iter().map(|it| (Some(it.from), it.condition, it.to, &it.next));
    [first]
        .into_iter()
        .chain(steps)
        .map(|(from, condition, to, next)| {
            let mut asserted = product.facts.clone();
            asserted.push(condition);
            asserted.extend(from.iter().flat_map(|from| &known[*from]));
            let next = product.modes[to].iter().copied().zip(next.iter().copied()).collect();
            Transition { from, to, asserted, next }
        })
        .collect()
}

/// The facts that hold after a transition; none if the time is over.
fn keep(
    terms: &mut Terms,
    transition: &Transition,
    mut asserted: Vec<Term>,
    facts: &[Term],
    solver: &Solver,
    deadline: Deadline,
) -> Option<Vec<Term>> {
    let after = terms.substitute(facts, &transition.next);
    let mut holds = vec![true; facts.len()];
    let mut groups: Vec<Vec<usize>> = vec![(0..facts.len()).collect()];
    while let Some(mut group) = groups.pop() {
        group.retain(|index| holds[*index]);
        let all = terms.and(group.iter().map(|index| after[*index]));
        asserted.push(terms.not(all));
        let left = deadline.left();
        if left.is_zero() {
            return None;
        }
        let answer = solver.check(terms, &asserted, left.min(QUERY));
        asserted.pop();
        match answer {
            Answer::Unsat => {}
            Answer::Sat(assignment) => {
                let values = terms.eval_all(&after, &assignment);
                let before = group.len();
                for (holds, value) in holds.iter_mut().zip(&values) {
                    *holds &= *value != Some(0);
                }
                group.retain(|index| holds[*index]);
                if group.len() < before {
                    groups.push(group);
                } else {
                    halve(group, &mut holds, &mut groups);
                }
            }
            Answer::Unknown(_) => halve(group, &mut holds, &mut groups),
        }
    }
    Some((facts.iter().zip(holds)).filter(|(_, holds)| *holds).map(|(fact, _)| *fact).collect())
}

/// Those that cannot be shown one by one go.
fn halve(mut group: Vec<usize>, holds: &mut [bool], groups: &mut Vec<Vec<usize>>) {
    if let [single] = group[..] {
        holds[single] = false;
    } else if !group.is_empty() {
        let half = group.split_off(group.len() / 2);
        groups.extend([group, half]);
    }
}
