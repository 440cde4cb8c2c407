//! One iteration of a loop in terms.

use std::collections::{HashMap, HashSet};

use crate::equiv::attempt::{Question, Run};
use crate::equiv::context::Context;
use crate::equiv::policy::{Choose, Feasibility};
use crate::equiv::start::{Interface, Start};
use crate::equiv::unfold::{results_of, run_once};
use crate::solver::{Node, Sort, Term, Terms};
use crate::sym::{Called, ExecutionLimits, Executor, NanBits, Record};
use crate::version::Version;

/// One iteration of a loop, from any state.
pub struct Iteration {
    /// What the loop is given: the state before the iteration.
    pub before: Vec<Term>,
    /// For each of [`Iteration::before`], the number of the loop's input that it is at first.
    pub first: Vec<usize>,
    /// The condition for another iteration, and the state before that one.
    pub again: Term,
    pub after: Vec<Term>,
    /// The condition for this iteration to be the last, and what the loop gives then.
    pub ends: Term,
    pub outputs: Vec<Term>,
    /// The conditions of paths that were not followed.
    pub incomplete: Vec<Term>,
    /// What holds of the state before.
    pub facts: Vec<Term>,
    /// What holds of variables that only this iteration has.
    pub fresh_facts: Vec<Term>,
}

const ITERATION: ExecutionLimits =
    ExecutionLimits { steps: 20_000, depth: 100, terms: 500_000, deadline: None };

impl Iteration {
    /// None where an iteration of the loop cannot be said in terms.
    pub fn new(
        context: &Context<'_>,
        version: Version,
        record: &Record,
        run: &mut Run,
        &Question { known, depth, solver, deadline, .. }: &Question<'_>,
    ) -> Option<Iteration> {
        let mut policy = Choose {
            version,
            matching: &context.matching,
            known,
            depth,
            symbols: &mut run.symbols,
            paths: Some(Feasibility::new(solver, Vec::new(), deadline)),
        };
        let mut iteration = iteration(context, version, record, &mut run.terms, &mut policy)?;
        iteration.leave_out_constants(&mut run.terms, &record.inputs);
        Some(iteration)
    }

    /// Puts what a loop is given for the parts of its state that no iteration changes.
    fn leave_out_constants(&mut self, terms: &mut Terms, inputs: &[Term]) {
        let is_plain = |term: Term| {
            matches!(terms.node(term), Node::Var(_) | Node::Bool(_) | Node::Bits { .. })
        };
        let never_again = terms.as_bool(self.again) == Some(false);
        let constant: Vec<bool> = (0..self.before.len())
            .map(|it| is_plain(inputs[it]) && (never_again || self.after[it] == self.before[it]))
            .collect();
        let map: HashMap<Term, Term> = (self.before.iter().copied().zip(inputs.iter().copied()))
            .zip(&constant)
            .filter_map(|(pair, constant)| constant.then_some(pair))
            .collect();
        let left_out: HashSet<Term> = map.keys().copied().collect();
        // What the type says of a value was said where the value was made.
        self.facts.retain(|fact| variables(terms, &[*fact]).is_disjoint(&left_out));
        for part in
            [&mut self.after, &mut self.outputs, &mut self.incomplete, &mut self.fresh_facts]
        {
            *part = terms.substitute(part, &map);
        }
        let [again, ends] = terms.substitute(&[self.again, self.ends], &map)[..] else {
            unreachable!("as many as were given")
        };
        (self.again, self.ends) = (again, ends);
        let keep = |of: &mut Vec<Term>| {
            let mut constant = constant.iter();
            of.retain(|_| constant.next() == Some(&false));
        };
        self.first = (0..constant.len()).filter(|it| !constant[*it]).collect();
        keep(&mut self.before);
        if !self.after.is_empty() {
            keep(&mut self.after);
        }
    }

    /// What of the inputs the state before the first iteration is.
    pub fn first(&self, inputs: &[Term]) -> Vec<Term> {
        self.first.iter().map(|it| inputs[*it]).collect()
    }
}

/// Runs one iteration of a recorded loop from any state.
fn iteration(
    context: &Context<'_>,
    version: Version,
    record: &Record,
    terms: &mut Terms,
    policy: &mut Choose<'_, '_>,
) -> Option<Iteration> {
    let Called::Loop(..) = record.called else { return None };
    let shapes = &context.shapes[version];
    let interface = Interface::of_one(context, version, record.called).ok()?;
    let start =
        Start::new(terms, shapes, &interface, NanBits::All, &mut |terms, sort| terms.var(sort))
            .ok()?;
    let code = &context.matching.codes[version];
    let mut executor = Executor::new(terms, code, shapes, policy, ITERATION, start.next_object);
    let (ended, frame) = run_once(&mut executor, record.called, &interface, version, &start)?;
    let mut fresh_facts = std::mem::take(&mut executor.facts);
    let incomplete = std::mem::take(&mut executor.incomplete);
    let records = std::mem::take(&mut executor.records);
    let incomplete = incomplete.iter().map(|path| path.condition).collect();
    if ended.aborted.is_some() || ended.diverged.is_some() {
        return None;
    }
    let mut own = records.iter().filter(|it| it.called == record.called);
    let (again, after) = match own.next() {
        Some(next) => (next.condition, next.inputs.clone()),
        None => (terms.bool(false), Vec::new()),
    };
    // It matters only where there is another iteration.
    let known = where_it_holds(terms, again);
    let after = terms.substitute(&after, &known);
    let own_again = !after.is_empty();
    let given = own_outputs(terms, &records, record.called);
    if own.next().is_some() {
        return None;
    }
    let mut outputs = Vec::new();
    let condition = |terms: &mut Terms, state: &Option<crate::sym::State>| match state {
        Some(state) => state.condition(terms),
        None => terms.bool(false),
    };
    let panicked = condition(terms, &ended.panicked);
    let returned = condition(terms, &ended.returned);
    outputs.push(panicked);
    if ended.returned.is_some() {
        outputs.extend(results_of(terms, shapes, &interface, version, &ended, &frame)?);
    } else {
        // Only panics end it: what it gives is never looked at.
        let missing = record.outputs.len() - outputs.len();
        outputs.extend(record.outputs[record.outputs.len() - missing..].iter().copied());
    }
    if outputs.len() != record.outputs.len() {
        return None;
    }
    let either = terms.or([panicked, returned]);
    let not_again = terms.not(again);
    let ends = terms.and([either, not_again]);
    fresh_facts.retain(|it| variables(terms, &[*it]).iter().all(|it| !given.contains_key(it)));
    let outputs = terms.substitute(&outputs, &given);
    let ends = terms.substitute(&[ends], &given)[0];
    let (before, facts) = (start.leaves, start.facts);
    if record.inputs.len() != before.len() || (own_again && after.len() != before.len()) {
        return None;
    }
    let first = (0..before.len()).collect();
    Some(Iteration { before, first, again, after, ends, outputs, incomplete, facts, fresh_facts })
}

/// What is known of conditions where one holds.
fn where_it_holds(terms: &mut Terms, condition: Term) -> HashMap<Term, Term> {
    let [yes, no] = [true, false].map(|it| terms.bool(it));
    let mut known = HashMap::new();
    for part in terms.conjuncts(condition) {
        known.insert(terms.not(part), no);
        known.insert(part, yes);
    }
    known
}

/// Values for what the iterations after this one give: an iteration that is the last has none after it, so that
/// any will do.
fn own_outputs(terms: &mut Terms, records: &[Record], called: Called) -> HashMap<Term, Term> {
    let own = records.iter().filter(|it| it.called == called).flat_map(|it| &it.outputs);
    own.filter_map(|it| match terms.sort(*it) {
        Sort::Bool => Some((*it, terms.bool(false))),
        Sort::Bits(width) => Some((*it, terms.bits(0, width))),
        Sort::EffectState => None,
    })
    .collect()
}

pub fn variables(terms: &Terms, of: &[Term]) -> HashSet<Term> {
    terms.variables(of).into_iter().map(|var| terms.var_term(var)).collect()
}
