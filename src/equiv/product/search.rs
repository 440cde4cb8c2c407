//! Looks for a relation that holds at first, that every step keeps, and that rules out what is bad.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::relation::Product;
use crate::solver::{
    Answer, BitsOp, Clause, CompareOp, HornAnswer, HornSystem, Node, OverflowOp, Predicate, Solver,
    Sort, Term, Terms,
};

/// No more facts than this are tried.
const MAX_FACTS: usize = 400;
const QUERY: Duration = Duration::from_secs(3);

/// Whether such a relation is found.
pub fn finds(mut product: Product, solver: &Solver, deadline: Instant) -> bool {
    let left = || deadline.saturating_duration_since(Instant::now());
    let mut asserted = product.facts.clone();
    asserted.push(product.elsewhere);
    if !matches!(solver.check(&product.terms, &asserted, left()), Answer::Unsat) {
        return false;
    }
    // Facts that no first state has would cut off everything.
    let first = product.state.iter().copied().zip(product.first.iter().copied()).collect();
    let mut asserted = product.terms.substitute(&product.facts.clone(), &first);
    asserted.push(product.entered);
    if matches!(solver.check(&product.terms, &asserted, left()), Answer::Unsat) {
        return false;
    }
    let started = Instant::now();
    let invariant = houdini(&mut product, solver, deadline);
    trace(|| format!("houdini: {} facts in {:?}", invariant.len(), started.elapsed()));
    let mut base = product.facts.clone();
    base.extend(invariant.iter().copied());
    let rest: Vec<Term> = product
        .bad
        .iter()
        .copied()
        .filter(|&bad| {
            let mut asserted = base.clone();
            asserted.push(bad);
            let answer = solver.check(&product.terms, &asserted, left().min(QUERY));
            !matches!(answer, Answer::Unsat)
        })
        .collect();
    trace(|| format!("{} of {} bad states left", rest.len(), product.bad.len()));
    if rest.is_empty() {
        return true;
    }
    let mut rest = rest;
    settle_conditions(&mut product, &base, &mut rest, solver, deadline);
    horn(&mut product, &invariant, &rest, solver, deadline)
}

/// `CARGO_CSE_TRACE` lets provers tell what they do, for those who work on them.
pub fn trace(text: impl FnOnce() -> String) {
    if std::env::var_os("CARGO_CSE_TRACE").is_some() {
        eprintln!("{}", text());
    }
}

/// Facts that hold at first and that every step keeps, of many simple ones.
fn houdini(product: &mut Product, solver: &Solver, deadline: Instant) -> Vec<Term> {
    let mut facts = candidates(product);
    let first: HashMap<Term, Term> =
        product.state.iter().copied().zip(product.first.iter().copied()).collect();
    let mut transitions = vec![(product.entered, first, true)];
    for (condition, next) in product.steps.clone() {
        let map = product.state.iter().copied().zip(next).collect();
        transitions.push((condition, map, false));
    }
    loop {
        let before = facts.len();
        for (condition, map, is_first) in &transitions {
            if !keep(product, &mut facts, *condition, map, *is_first, solver, deadline) {
                return Vec::new();
            }
        }
        if facts.len() == before {
            return facts;
        }
    }
}

/// Drops the facts that do not hold after a transition; false if the time is over.
fn keep(
    product: &mut Product,
    facts: &mut Vec<Term>,
    condition: Term,
    map: &HashMap<Term, Term>,
    is_first: bool,
    solver: &Solver,
    deadline: Instant,
) -> bool {
    loop {
        let after = product.terms.substitute(facts, map);
        let all = product.terms.and(after.iter().copied());
        let broken = product.terms.not(all);
        let mut asserted = product.facts.clone();
        asserted.extend([condition, broken]);
        if !is_first {
            asserted.extend(facts.iter().copied());
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match solver.check(&product.terms, &asserted, left.min(QUERY)) {
            Answer::Unsat => return true,
            Answer::Sat(assignment) => {
                let values = product.terms.eval_all(&after, &assignment);
                let before = facts.len();
                let mut holds = values.iter().map(|value| *value == Some(1));
                facts.retain(|_| holds.next() == Some(true));
                if facts.len() == before {
                    return false;
                }
            }
            Answer::Unknown(_) => {
                // One at a time: those that cannot be shown go.
                if left.is_zero() {
                    return false;
                }
                let known = facts.clone();
                let mut kept = Vec::new();
                for (fact, after) in facts.iter().zip(after) {
                    let mut asserted = product.facts.clone();
                    asserted.push(condition);
                    if !is_first {
                        asserted.extend(known.iter().copied());
                    }
                    asserted.push(product.terms.not(after));
                    let left = deadline.saturating_duration_since(Instant::now());
                    let limit = left.min(Duration::from_millis(200));
                    if matches!(solver.check(&product.terms, &asserted, limit), Answer::Unsat) {
                        kept.push(*fact);
                    }
                }
                *facts = kept;
                return true;
            }
        }
    }
}

/// Simple facts about the state: equalities, orders, small offsets, bounds by constants.
fn candidates(product: &mut Product) -> Vec<Term> {
    let terms = &mut product.terms;
    // The likeliest first: what is left over is not tried.
    let (mut found, mut unlikely) = (Vec::new(), Vec::new());
    let variables: Vec<Term> = product.places.iter().chain(product.fixed.iter()).copied().collect();
    let constants = constants(terms, &product.steps, &product.bad, &product.first);
    let orders = orders(terms, &product.steps, &product.bad);
    for (index, &one) in product.places.iter().enumerate() {
        let sort = terms.sort(one);
        let Sort::Bits(width) = sort else {
            if sort == Sort::Bool {
                found.push(one);
                found.push(terms.not(one));
            }
            continue;
        };
        for &constant in constants.iter().filter(|it| it.1 == width) {
            let constant = terms.bits(constant.0, width);
            unlikely.push(terms.eq(one, constant));
            for &op in &orders {
                found.push(terms.compare(op, constant, one));
                unlikely.push(terms.compare(op, one, constant));
            }
        }
        for &two in &variables[index + 1..] {
            if terms.sort(two) != sort {
                continue;
            }
            found.push(terms.eq(one, two));
            let zero = terms.bits(0, width);
            let (is_zero, also) = (terms.eq(one, zero), terms.eq(two, zero));
            unlikely.push(terms.eq(is_zero, also));
            for &op in &orders {
                for (small, large) in [(one, two), (two, one)] {
                    found.push(terms.compare(op, small, large));
                    for offset in [1u128, 2] {
                        let offset = terms.bits(offset, width);
                        let less = terms.binary(BitsOp::Sub, large, offset);
                        found.push(terms.compare(op, small, less));
                        let more = terms.binary(BitsOp::Add, large, offset);
                        unlikely.push(terms.compare(op, small, more));
                        unlikely.push(terms.eq(small, more));
                    }
                }
            }
        }
    }
    found.append(&mut unlikely);
    let mut seen = HashSet::new();
    found.retain(|fact| terms.as_bool(*fact).is_none() && seen.insert(*fact));
    found.truncate(MAX_FACTS);
    found
}

/// The orders that the code itself compares numbers by; both if it does not.
fn orders(terms: &Terms, steps: &[(Term, Vec<Term>)], bad: &[Term]) -> Vec<CompareOp> {
    let mut roots: Vec<Term> = bad.to_vec();
    for (condition, next) in steps {
        roots.push(*condition);
        roots.extend(next);
    }
    let (mut signed, mut unsigned) = (false, false);
    for term in terms.reachable(&roots) {
        match terms.node(term) {
            Node::Compare(CompareOp::Slt | CompareOp::Sle, ..)
            | Node::Overflows { signed: true, .. } => signed = true,
            Node::Compare(..) | Node::Overflows { .. } => unsigned = true,
            _ => {}
        }
    }
    match (signed, unsigned) {
        (true, false) => vec![CompareOp::Sle],
        (false, true) => vec![CompareOp::Ule],
        _ => vec![CompareOp::Sle, CompareOp::Ule],
    }
}

/// Puts truth values for the conditions that the facts decide: Horn clauses get shorter.
fn settle_conditions(
    product: &mut Product,
    base: &[Term],
    bad: &mut Vec<Term>,
    solver: &Solver,
    deadline: Instant,
) {
    let mut roots = bad.clone();
    for (condition, next) in &product.steps {
        roots.push(*condition);
        roots.extend(next);
    }
    let mut settled = HashMap::new();
    for term in product.terms.reachable(&roots) {
        let is_condition = matches!(
            product.terms.node(term),
            Node::Compare(..) | Node::Overflows { .. } | Node::Eq(..)
        );
        if !is_condition || Instant::now() >= deadline {
            continue;
        }
        let not = product.terms.not(term);
        for (asked, otherwise) in [(term, false), (not, true)] {
            let mut asserted = base.to_vec();
            asserted.push(asked);
            let limit = Duration::from_millis(100);
            if matches!(solver.check(&product.terms, &asserted, limit), Answer::Unsat) {
                settled.insert(term, product.terms.bool(otherwise));
                break;
            }
        }
    }
    if settled.is_empty() {
        return;
    }
    *bad = product.terms.substitute(bad, &settled);
    for (condition, next) in &mut product.steps {
        *condition = product.terms.substitute(&[*condition], &settled)[0];
        *next = product.terms.substitute(next, &settled);
    }
    product.steps.retain(|(condition, _)| product.terms.as_bool(*condition) != Some(false));
}

/// The numbers in the steps and around them, with 0 and 1.
fn constants(
    terms: &Terms,
    steps: &[(Term, Vec<Term>)],
    bad: &[Term],
    first: &[Term],
) -> Vec<(u128, u32)> {
    let mut roots: Vec<Term> = bad.iter().chain(first).copied().collect();
    for (condition, next) in steps {
        roots.push(*condition);
        roots.extend(next);
    }
    let mut found = Vec::new();
    for term in terms.reachable(&roots) {
        if let Node::Bits { value, width } = terms.node(term) {
            found.push((*value, *width));
        }
        if let Sort::Bits(width) = terms.sort(term) {
            found.extend([(0, width), (1, width)]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(40);
    found
}

/// Asks for a relation by Horn clauses, with the facts found so far.
fn horn(
    product: &mut Product,
    invariant: &[Term],
    bad: &[Term],
    solver: &Solver,
    deadline: Instant,
) -> bool {
    let relation = Predicate(0);
    let arguments: Vec<Term> = product.state.iter().chain(product.fixed.iter()).copied().collect();
    let with = |next: &[Term]| next.iter().chain(product.fixed.iter()).copied().collect::<Vec<_>>();
    let mut base = product.facts.clone();
    base.extend(invariant.iter().copied());
    let mut clauses = Vec::new();
    let mut constraint = product.facts.clone();
    constraint.push(product.entered);
    let constraint = product.terms.and(constraint);
    clauses.push(Clause { body: vec![], constraint, head: Some((relation, with(&product.first))) });
    for (condition, next) in &product.steps {
        let constraint = product.terms.and(base.iter().copied().chain([*condition]));
        let body = vec![(relation, arguments.clone())];
        clauses.push(Clause { body, constraint, head: Some((relation, with(next))) });
    }
    for &bad in bad {
        let constraint = product.terms.and(base.iter().copied().chain([bad]));
        let body = vec![(relation, arguments.clone())];
        clauses.push(Clause { body, constraint, head: None });
    }
    let exact = exact(product, &clauses, solver, deadline);
    let predicates = vec![arguments.iter().map(|it| product.terms.sort(*it)).collect()];
    let system = HornSystem { predicates, clauses, exact };
    let left = deadline.saturating_duration_since(Instant::now());
    let answer = solver.horn(&product.terms, &system, left);
    trace(|| format!("Horn clauses: {answer:?}, {left:?} were left"));
    matches!(answer, HornAnswer::Safe)
}

/// The sums, differences and products that do not wrap in any clause that they are in.
///
/// A clause in which one is taken as exact allows at least what it allowed before: where it would
/// wrap, the clause does not hold.
fn exact(
    product: &mut Product,
    clauses: &[Clause],
    solver: &Solver,
    deadline: Instant,
) -> HashMap<Term, bool> {
    let mut found: HashMap<Term, Option<bool>> = HashMap::new();
    for clause in clauses {
        let mut roots = vec![clause.constraint];
        roots.extend(clause.head.iter().flat_map(|(_, arguments)| arguments));
        for term in product.terms.reachable(&roots) {
            let Node::Binary(op, left, right) = *product.terms.node(term) else { continue };
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
                let overflows = product.terms.overflows(op, signed, left, right);
                let asserted = [clause.constraint, overflows];
                let left = deadline.saturating_duration_since(Instant::now());
                let limit = left.min(Duration::from_millis(500));
                if matches!(solver.check(&product.terms, &asserted, limit), Answer::Unsat) {
                    holds = Some(signed);
                    break;
                }
            }
            found.insert(term, holds);
        }
    }
    found.into_iter().filter_map(|(term, signed)| Some((term, signed?))).collect()
}
