//! Horn clauses: asks the solver itself for a relation between two loops.

use std::collections::HashMap;
use std::time::Duration;

use tracing::debug;

use super::relation::Product;
use crate::deadline::Deadline;
use crate::solver::{
    Answer, BitsOp, Clause, HornAnswer, HornSystem, Node, OverflowOp, Predicate, Solver, Term,
    Terms,
};

/// Those that are solved at all are solved soon.
const SOLVING: Duration = Duration::from_secs(1);

/// Whether there is a relation for each mode that rules out what is bad, with the facts found so
/// far, and not just because the loops never end both.
pub fn are_safe(
    terms: &mut Terms,
    product: &mut Product,
    known: &[Vec<Term>],
    were_seen_to_end: bool,
    solver: &Solver,
    deadline: Deadline,
) -> bool {
    settle_conditions(terms, product, known, solver, deadline);
    if !matches!(solve(terms, product, known, solver, deadline), HornAnswer::Safe) {
        return false;
    }
    product.bad = terms.bool(true);
    were_seen_to_end || matches!(solve(terms, product, known, solver, deadline), HornAnswer::Unsafe)
}

fn solve(
    terms: &mut Terms,
    product: &Product,
    known: &[Vec<Term>],
    solver: &Solver,
    deadline: Deadline,
) -> HornAnswer {
    let fixed = product.fixed.clone();
    let with = |state: &[Term]| [state, &fixed[..]].concat();
    let bodies: Vec<_> = (product.modes.iter().zip(0..))
        .map(|(state, mode)| vec![(Predicate(mode), with(state))])
        .collect();
    let mut clauses = Vec::new();
    let constraint = terms.and([&product.facts[..], &[product.entered]].concat());
    let head = Some((Predicate(0), with(&product.first)));
    clauses.push(Clause { body: vec![], constraint, head });
    for step in &product.steps {
        let base = [&product.facts[..], &known[step.from][..], &[step.condition]].concat();
        let constraint = terms.and(base);
        let head = Some((Predicate(step.to as u32), with(&step.next)));
        clauses.push(Clause { body: bodies[step.from].clone(), constraint, head });
    }
    let last = product.modes.len() - 1;
    let constraint = terms.and([&product.facts[..], &known[last][..], &[product.bad]].concat());
    clauses.push(Clause { body: bodies[last].clone(), constraint, head: None });
    clauses.retain(|clause| terms.as_bool(clause.constraint) != Some(false));
    let exact = exact(terms, &clauses, solver, deadline);
    let sorts = |state: &Vec<Term>| with(state).into_iter().map(|it| terms.sort(it)).collect();
    let predicates = product.modes.iter().map(sorts).collect();
    let system = HornSystem { predicates, clauses, exact };
    let left = deadline.left().min(SOLVING);
    let answer = solver.horn(terms, &system, left);
    debug!(?answer, time = ?left, "Horn clauses");
    answer
}

/// Puts truth values for the conditions that the facts decide: Horn clauses get shorter.
fn settle_conditions(
    terms: &mut Terms,
    product: &mut Product,
    known: &[Vec<Term>],
    solver: &Solver,
    deadline: Deadline,
) {
    for (mode, known) in known.iter().enumerate() {
        let is_last = mode + 1 == product.modes.len();
        let mut roots: Vec<Term> = is_last.then_some(product.bad).into_iter().collect();
        for step in product.steps.iter().filter(|step| step.from == mode) {
            roots.push(step.condition);
            roots.extend(&step.next);
        }
        let base = [&product.facts[..], known].concat();
        let mut settled = HashMap::new();
        for term in terms.reachable(&roots) {
            let is_condition = matches!(
                terms.node(term),
                Node::Compare(..) | Node::Overflows { .. } | Node::Eq(..)
            );
            if !is_condition || deadline.is_over() {
                continue;
            }
            let not = terms.not(term);
            for (asked, otherwise) in [(term, false), (not, true)] {
                let asserted = [&base[..], &[asked]].concat();
                let limit = Duration::from_millis(100);
                if matches!(solver.check(terms, &asserted, limit), Answer::Unsat) {
                    settled.insert(term, terms.bool(otherwise));
                    break;
                }
            }
        }
        if settled.is_empty() {
            continue;
        }
        if is_last {
            product.bad = terms.substitute(&[product.bad], &settled)[0];
        }
        for step in product.steps.iter_mut().filter(|step| step.from == mode) {
            step.condition = terms.substitute(&[step.condition], &settled)[0];
            step.next = terms.substitute(&step.next, &settled);
        }
    }
    product.steps.retain(|step| terms.as_bool(step.condition) != Some(false));
}

/// The sums, differences and products that do not wrap in any clause that they are in.
///
/// A clause in which one is taken as exact allows at least what it allowed before: where it would
/// wrap, the clause does not hold.
fn exact(
    terms: &mut Terms,
    clauses: &[Clause],
    solver: &Solver,
    deadline: Deadline,
) -> HashMap<Term, bool> {
    let mut found: HashMap<Term, Option<bool>> = HashMap::new();
    for clause in clauses {
        let mut roots = vec![clause.constraint];
        roots.extend(clause.head.iter().flat_map(|(_, arguments)| arguments));
        for term in terms.reachable(&roots) {
            let Node::Binary(op, left, right) = *terms.node(term) else { continue };
            let op = match op {
                BitsOp::Add => OverflowOp::Add,
                BitsOp::Sub => OverflowOp::Sub,
                BitsOp::Mul => OverflowOp::Mul,
                _ => continue,
            };
            let candidates = match found.get(&term) {
                None => vec![true, false],
                Some(Some(signed)) => vec![*signed],
                Some(None) => continue,
            };
            let mut holds = None;
            for signed in candidates {
                let overflows = terms.overflows(op, signed, left, right);
                let asserted = [clause.constraint, overflows];
                let limit = deadline.left().min(Duration::from_millis(500));
                if matches!(solver.check(terms, &asserted, limit), Answer::Unsat) {
                    holds = Some(signed);
                    break;
                }
            }
            found.insert(term, holds);
        }
    }
    found.into_iter().filter_map(|(term, signed)| Some((term, signed?))).collect()
}
