//! The product of two loops as transitions over terms.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use crate::equiv::abstraction::abstract_arithmetic;
use crate::equiv::attempt::{Run, Sides};
use crate::equiv::policy::{Choose, Depth, Known};
use crate::equiv::start::{Interface, Start};
use crate::equiv::unfold::{results_of, run_once};
use crate::solver::{Node, Solver, Sort, Symbol, Term, Terms};
use crate::sym::{Called, Executor, Limits, Record};

/// One turn of a loop, from any state.
pub struct Turn {
    /// What the loop is given: the state before the turn.
    pub before: Vec<Term>,
    /// The condition for another turn, and the state before that one.
    pub again: Term,
    pub after: Vec<Term>,
    /// The condition for this turn to be the last, and what the loop gives then.
    pub ends: Term,
    pub outputs: Vec<Term>,
}

/// The transitions of two loops side by side.
pub struct Product {
    pub terms: Terms,
    /// What holds of all variables.
    pub facts: Vec<Term>,
    /// What stays the same while the loops run: the other variables of the difference.
    pub fixed: Vec<Term>,
    /// The state of both loops.
    pub state: Vec<Term>,
    /// What of it says where they stand: simple facts are about these.
    pub places: Vec<Term>,
    /// The condition under which the loops are entered, and their first state.
    pub entered: Term,
    pub first: Vec<Term>,
    /// Steps: a condition and the next state.
    pub steps: Vec<(Term, Vec<Term>)>,
    /// Both have ended, and the outcomes differ.
    pub bad: Vec<Term>,
    /// Differences for which the loops do not matter.
    pub elsewhere: Term,
}

const TURN: Limits = Limits { steps: 20_000, depth: 100, terms: 500_000, deadline: None };

impl Product {
    /// None where the difference rests on other calls than one loop of each side.
    pub fn new(
        sides: &Sides<'_, '_>,
        run: Run,
        known: &Known<'_>,
        depth: &Depth,
        solver: &Solver,
        deadline: Instant,
    ) -> Option<Product> {
        let Run { mut terms, mut facts, difference, records, mut symbols, .. } = run;
        let mut turns: Vec<Option<(Record, Turn)>> = Vec::new();
        let mut halted: Vec<(usize, Term)> = Vec::new();
        for (side, records) in records.into_iter().enumerate() {
            let record = match <[Record; 1]>::try_from(records) {
                Ok([record]) => record,
                Err(none) if none.is_empty() => {
                    turns.push(None);
                    continue;
                }
                Err(_) => return None,
            };
            let known = Known { proved: known.proved, hypothesis: known.hypothesis };
            let mut policy = Choose {
                side,
                matching: sides.matching,
                known: &known,
                depth,
                symbols: &mut symbols,
                solver: Some((solver, Vec::new(), deadline)),
            };
            let mut halts = Vec::new();
            let turn = turn(sides, side, &record, &mut terms, &mut policy, &mut facts, &mut halts)?;
            let number = turns.iter().flatten().count();
            halted.extend(halts.into_iter().map(|halt| (number, halt)));
            turns.push(Some((record, turn)));
        }
        if turns.iter().all(Option::is_none) {
            return None;
        }
        let yes = terms.bool(true);
        // A side without a loop has ended from the start.
        let reached: Vec<Term> = turns
            .iter()
            .map(|it| it.as_ref().map_or(yes, |(record, _)| record.condition))
            .collect();
        let entered = terms.and(reached.iter().copied());
        let not_entered = terms.not(entered);
        let elsewhere = terms.and([difference, not_entered]);
        let mut outputs = HashMap::new();
        let mut loops = Vec::new();
        let used: HashSet<Term> =
            terms.variables(&[difference]).into_iter().map(|var| terms.var_term(var)).collect();
        for (record, turn) in turns.iter().flatten() {
            if record.outputs.len() != turn.outputs.len() {
                return None;
            }
            let side = Loop::new(&mut terms, turn, record, &used)?;
            outputs.extend(
                side.outputs.iter().map(|(variable, _)| *variable).zip(side.given.iter().copied()),
            );
            loops.push(side);
        }
        let at_end = terms.substitute(&[difference], &outputs)[0];
        let all_done = terms.and(loops.iter().map(|it| it.done));
        let mut bad: Vec<Term> = halted
            .into_iter()
            .map(|(side, halt)| {
                let running = terms.not(loops[side].done);
                terms.and([running, halt])
            })
            .collect();
        bad.push(terms.and([all_done, at_end]));
        let mut steps = Vec::new();
        let ways: Vec<Vec<Way>> = loops.iter().map(|it| it.ways(&mut terms)).collect();
        for chosen in combinations(&ways) {
            let condition = terms.and(chosen.iter().map(|way| way.condition));
            let stands_still = chosen.iter().all(|way| way.is_still);
            if !stands_still && terms.as_bool(condition) != Some(false) {
                let next: Vec<Term> = chosen.iter().flat_map(|way| way.next.clone()).collect();
                steps.push((condition, next));
            }
        }
        let first = loops.iter().flat_map(|it| it.first.clone()).collect();
        let state: Vec<Term> = loops.iter().flat_map(Loop::state).collect();
        let places = loops.iter().flat_map(|it| it.turn.before.clone()).collect();
        let mut mentioned = bad.clone();
        mentioned.extend(
            steps
                .iter()
                .flat_map(|(condition, next)| [*condition].into_iter().chain(next.iter().copied())),
        );
        let fixed: Vec<Term> = terms
            .variables(&mentioned)
            .into_iter()
            .map(|var| terms.var_term(var))
            .filter(|var| !state.contains(var))
            .collect();
        // What a turn makes up on the way is not fixed: only what the run itself mentions is.
        let outside: Vec<Term> = [difference, entered].into_iter().collect();
        let outside = terms.variables(&outside);
        let made: Vec<Term> = outside.into_iter().map(|var| terms.var_term(var)).collect();
        let is_output = |var: &Term| outputs.contains_key(var);
        let fixed = fixed.into_iter().filter(|it| made.contains(it) && !is_output(it)).collect();
        let mut product =
            Product { terms, facts, fixed, state, places, entered, first, steps, bad, elsewhere };
        product.abstract_arithmetic();
        Some(product)
    }

    /// What loops keep seldom rests on what products and quotients are, and solvers do not get far
    /// with them.
    fn abstract_arithmetic(&mut self) {
        let mut roots = self.bad.clone();
        for (condition, next) in &self.steps {
            roots.push(*condition);
            roots.extend(next);
        }
        let changed = abstract_arithmetic(&mut self.terms, &roots);
        let changed = self.name_calls(changed);
        let mut changed = changed.into_iter();
        let mut take = |into: &mut Term| *into = changed.next().expect("as many as were given");
        self.bad.iter_mut().for_each(&mut take);
        for (condition, next) in &mut self.steps {
            take(condition);
            next.iter_mut().for_each(&mut take);
        }
    }
}

impl Product {
    /// Puts a variable for each call that stands for itself, and says that equal calls give the same:
    /// then every value of a model can be computed.
    fn name_calls(&mut self, roots: Vec<Term>) -> Vec<Term> {
        let mut map: HashMap<Term, Term> = HashMap::new();
        let mut calls: Vec<(Symbol, Vec<Term>, Term)> = Vec::new();
        for term in self.terms.reachable(&roots) {
            let Node::Apply(symbol, arguments) = self.terms.node(term).clone() else { continue };
            let arguments = self.terms.substitute(&arguments, &map);
            let variable = self.terms.var(self.terms.sort(term));
            for (other, given, result) in &calls {
                if *other == symbol && calls.len() < MAX_CALLS {
                    let same: Vec<Term> = given
                        .iter()
                        .zip(&arguments)
                        .map(|(one, two)| self.terms.eq(*one, *two))
                        .collect();
                    let same = self.terms.and(same);
                    let equal = self.terms.eq(*result, variable);
                    self.facts.push(self.terms.implies(same, equal));
                }
            }
            calls.push((symbol, arguments, variable));
            map.insert(term, variable);
        }
        self.terms.substitute(&roots, &map)
    }
}

/// Of more calls than this it is not said which are equal.
const MAX_CALLS: usize = 40;

/// One of the loops as it runs: where it stands, or what it gave once it has ended.
struct Loop<'t> {
    turn: &'t Turn,
    done: Term,
    /// What the loop gives that matters: the variable for it in the run, and its value.
    outputs: Vec<(Term, Term)>,
    given: Vec<Term>,
    first: Vec<Term>,
}

/// A way for one loop to take part in a step.
#[derive(Clone)]
struct Way {
    condition: Term,
    next: Vec<Term>,
    is_still: bool,
}

impl<'t> Loop<'t> {
    fn new(
        terms: &mut Terms,
        turn: &'t Turn,
        record: &Record,
        used: &HashSet<Term>,
    ) -> Option<Loop<'t>> {
        let done = terms.var(Sort::Bool);
        let all = record.outputs.iter().copied().zip(turn.outputs.iter().copied());
        let outputs: Vec<(Term, Term)> = all.filter(|(it, _)| used.contains(it)).collect();
        let sorts: Vec<Sort> = outputs.iter().map(|(_, it)| terms.sort(*it)).collect();
        let given: Vec<Term> = sorts.iter().map(|sort| terms.var(*sort)).collect();
        let mut first = vec![terms.bool(false)];
        first.extend(&record.inputs);
        for sort in sorts {
            // What it gives before it has ended is never looked at.
            first.push(match sort {
                Sort::Bool => terms.bool(false),
                Sort::Bits(width) => terms.bits(0, width),
                Sort::World => return None,
            });
        }
        Some(Loop { turn, done, outputs, given, first })
    }

    fn state(&self) -> Vec<Term> {
        [&[self.done], &self.turn.before[..], &self.given[..]].concat()
    }

    fn ways(&self, terms: &mut Terms) -> Vec<Way> {
        let running = terms.not(self.done);
        let (no, yes) = (terms.bool(false), terms.bool(true));
        let mut ways = vec![Way { condition: self.done, next: self.state(), is_still: true }];
        let again = terms.and([running, self.turn.again]);
        if terms.as_bool(again) != Some(false) {
            let next = [&[no], &self.turn.after[..], &self.given[..]].concat();
            ways.push(Way { condition: again, next, is_still: false });
        }
        let ends = terms.and([running, self.turn.ends]);
        let gives: Vec<Term> = self.outputs.iter().map(|(_, it)| *it).collect();
        let next = [&[yes], &self.turn.before[..], &gives[..]].concat();
        ways.push(Way { condition: ends, next, is_still: false });
        ways
    }
}

/// Every choice of one way for each loop.
fn combinations(ways: &[Vec<Way>]) -> Vec<Vec<Way>> {
    let mut all: Vec<Vec<Way>> = vec![Vec::new()];
    for ways in ways {
        all = all
            .iter()
            .flat_map(|known| {
                ways.iter().map(|way| [&known[..], std::slice::from_ref(way)].concat())
            })
            .collect();
    }
    all
}

/// Runs one turn of a recorded loop from any state. Paths that cannot be followed are bad.
fn turn(
    sides: &Sides<'_, '_>,
    side: usize,
    record: &Record,
    terms: &mut Terms,
    policy: &mut Choose<'_, '_>,
    facts: &mut Vec<Term>,
    bad: &mut Vec<Term>,
) -> Option<Turn> {
    let Called::Loop(..) = record.called else { return None };
    let shapes = &sides.shapes[side];
    let interface = Interface::of_one(sides.matching, sides.shapes, side, record.called).ok()?;
    let start = Start::new(terms, shapes, &interface, &mut |terms, sort| terms.var(sort)).ok()?;
    facts.extend(start.facts.iter().copied());
    let code = &sides.matching.codes[side];
    let mut executor = Executor::new(terms, code, shapes, policy, TURN, start.next_object);
    let (ended, frame) = run_once(&mut executor, record.called, &interface, side, &start)?;
    facts.append(&mut executor.facts);
    let halts = std::mem::take(&mut executor.halts);
    let records = std::mem::take(&mut executor.records);
    bad.extend(halts.iter().map(|halt| halt.condition));
    if ended.aborted.is_some() || ended.diverged.is_some() {
        return None;
    }
    let mut own = records.iter().filter(|it| it.called == record.called);
    let (again, after) = match own.next() {
        Some(next) => (next.condition, next.inputs.clone()),
        None => (terms.bool(false), Vec::new()),
    };
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
        outputs.extend(results_of(terms, shapes, &interface, side, &ended, &frame)?);
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
    Some(Turn { before: start.leaves.clone(), again, after, ends, outputs })
}
