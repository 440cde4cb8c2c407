//! Decides pairs: cheapest engine first, each under a budget.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use tracing::field::Empty;
use tracing::{debug, debug_span, info_span};

use super::alike::Likeness;
use super::attempt::{CONFIRM, Inputs, Said, Shown};
use super::context::Context;
use super::inputs::Chooser;
use super::matching::Matched;
use super::policy::{Depth, Key, Known};
use super::product::{self, Forms, Related};
use super::start::Interface;
use crate::cfa::{FnId, Span};
use crate::deadline::Deadline;
use crate::model::Engine;
use crate::reason::{LimitReached, NoProof, Reason};
use crate::solver::{Answer, Solver, Term};
use crate::sym::Called;
use crate::version::Version;

/// What is known of a pair.
#[derive(Clone, Debug)]
pub enum Standing {
    /// For all that they can be given, the two sides do the same: see [`Prover::is_partial`].
    Equal(Engine),
    /// On these inputs, the two sides do not do the same: an interpreter ran them.
    Different(Inputs),
    Unknown(Why),
}

/// Why a pair could not be decided.
#[derive(Clone, Debug)]
pub struct Why {
    pub reason: Reason,
    /// Where the way ended, on the side given.
    pub place: Option<(Version, FnId, Span)>,
}

/// What may be left out, to measure what it is good for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Without {
    /// Only entry points are looked at, as wholes.
    pub boundaries: bool,
    /// Every call is entered.
    pub uninterpreted: bool,
    /// No inputs are tried before proving.
    pub runs: bool,
}

impl Without {
    /// `CARGO_CSE_WITHOUT` names them, separated by commas: for measuring only.
    pub fn from_environment() -> Without {
        let named = std::env::var("CARGO_CSE_WITHOUT").unwrap_or_default();
        let has = |name: &str| named.split(',').any(|it| it == name);
        Without {
            boundaries: has("boundaries"),
            uninterpreted: has("uninterpreted"),
            runs: has("runs"),
        }
    }
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The first candidates.
    pub candidate: Duration,
    /// An entry point.
    pub entry: Duration,
    /// When all has to be over.
    pub deadline: Deadline,
    /// Whether entry points had a short time before.
    pub is_second: bool,
}

/// What is known of the pairs of two programs.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    standings: HashMap<Matched, Standing>,
    partial: HashSet<Called>,
}

impl Standings {
    pub fn get(&self, matched: Matched) -> Option<&Standing> {
        self.standings.get(&matched)
    }

    /// What was decided once stays decided.
    pub fn extend(&mut self, other: Standings) {
        for (matched, standing) in other.standings {
            match self.standings.get(&matched) {
                Some(Standing::Equal(_) | Standing::Different(_)) => {}
                Some(Standing::Unknown(_)) | None => {
                    self.standings.insert(matched, standing);
                }
            }
        }
        self.partial.extend(other.partial);
    }
}

/// Decides pairs of two programs, and remembers what it decided.
pub struct Prover<'p, 'a> {
    context: &'p Context<'a>,
    solver: &'p Solver,
    budget: Budget,
    without: Without,
    settled: RefCell<HashMap<Matched, Standing>>,
    under_way: RefCell<Vec<Matched>>,
    /// The parts of functions that were looked at.
    alike: RefCell<HashMap<Likeness, Matched>>,
    /// What was proved by induction over loops or recursion that are not the same on both sides, or
    /// beside such.
    partial: RefCell<HashSet<Called>>,
    /// What was found of loops run side by side.
    forms: RefCell<Forms>,
    /// The time for the next candidate: 2clever, section 4.3.
    next_limit: Cell<Duration>,
    pub spent: Cell<Duration>,
}

/// How many inputs are tried on a pair, for how long, and how many steps each may take.
struct Trying {
    inputs: u32,
    time: Duration,
    steps: u64,
    only_small: bool,
}

/// Before anything else, and where that showed nothing.
const TRY: Trying =
    Trying { inputs: 300, time: Duration::from_millis(40), steps: 3_000, only_small: false };
const LONGER: Trying =
    Trying { inputs: 3_000, time: Duration::from_millis(250), steps: 30_000, only_small: true };
/// How long it may take to find out whether changed code is exercised.
const EXERCISING: Duration = Duration::from_millis(300);
/// How often calls are entered that a difference rests on.
const REFINEMENTS: u32 = 8;

/// A way to prove a pair with loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Attempt {
    /// Runs that many turns of each loop.
    Turns(u32),
    /// Looks for a relation that holds after any number of turns.
    Product,
    /// Runs it on more inputs.
    Inputs,
}

/// In the order of trying, each with the part of the time that is left which it gets.
///
/// All have a short time first: most of what one can do, it does soon. A few turns show most
/// differences, and all that short loops do.
const SHORT_ATTEMPTS: [(Attempt, u32); 4] = [
    (Attempt::Turns(2), 10),
    (Attempt::Product, 8),
    (Attempt::Turns(10), 10),
    (Attempt::Turns(24), 10),
];
const LONG_ATTEMPTS: [(Attempt, u32); 6] = [
    (Attempt::Inputs, 1),
    (Attempt::Turns(10), 8),
    (Attempt::Product, 2),
    (Attempt::Turns(10), 3),
    (Attempt::Turns(24), 3),
    (Attempt::Turns(70), 1),
];
/// In less time hardly anything is found.
const LEAST: Duration = Duration::from_millis(400);

impl<'p, 'a> Prover<'p, 'a> {
    pub fn new(
        context: &'p Context<'a>,
        solver: &'p Solver,
        budget: Budget,
        without: Without,
        earlier: &Standings,
    ) -> Prover<'p, 'a> {
        // What is unknown is tried again.
        let mut settled = earlier.standings.clone();
        settled.retain(|_, standing| !matches!(standing, Standing::Unknown(_)));
        Prover {
            context,
            solver,
            budget,
            without,
            settled: RefCell::new(settled),
            under_way: RefCell::default(),
            alike: RefCell::default(),
            partial: RefCell::new(earlier.partial.clone()),
            forms: RefCell::default(),
            next_limit: Cell::new(budget.candidate),
            spent: Cell::default(),
        }
    }

    /// All that was found out.
    pub fn standings(self) -> Standings {
        Standings { standings: self.settled.into_inner(), partial: self.partial.into_inner() }
    }

    /// Whether inputs on which one of the sides does not end are outside of what was proved.
    pub fn is_partial(&self, matched: Matched) -> bool {
        self.partial.borrow().contains(&matched.new)
    }

    fn standing(&self, matched: Matched) -> Option<Standing> {
        self.settled.borrow().get(&matched).cloned()
    }

    /// Decides an entry point: the last candidate, which gets the time that is left.
    pub fn settle_entry(&self, matched: Matched) -> Standing {
        let _span = info_span!("entry", function = %self.name(matched)).entered();
        if !self.without.boundaries {
            self.settle_below(matched);
        }
        match self.standing(matched) {
            Some(standing) if !matches!(standing, Standing::Unknown(_)) => standing,
            _ => self.decide(matched, self.budget.entry, self.budget.is_second),
        }
    }

    /// Decides a candidate, after those inside it.
    fn settle(&self, matched: Matched) {
        let known = self.settled.borrow().contains_key(&matched);
        if known || self.under_way.borrow().contains(&matched) || self.is_over() {
            return;
        }
        let _span = debug_span!("boundary", of = %self.name(matched)).entered();
        self.settle_below(matched);
        if self.context.matching.is_region(Version::New, matched.new)
            && self.is_settled_below(matched)
        {
            return;
        }
        let likeness = Likeness::new(&self.context.matching, matched);
        if let Some(likeness) = &likeness
            && let Some(other) = self.alike.borrow().get(likeness).copied()
            && let Some(standing) = self.standing(other)
        {
            if self.is_partial(other) {
                self.partial.borrow_mut().insert(matched.new);
            }
            self.settled.borrow_mut().insert(matched, standing);
            return;
        }
        let limit = self.next_limit.get();
        let started = Instant::now();
        self.decide(matched, limit, false);
        let next = match started.elapsed() {
            taken if taken >= limit => limit * 2,
            taken if taken * 2 <= limit => limit / 2,
            _ => limit,
        };
        let least = self.budget.candidate;
        self.next_limit.set(next.clamp(least, self.budget.entry));
        if let Some(likeness) = likeness {
            self.alike.borrow_mut().insert(likeness, matched);
        }
    }

    fn is_over(&self) -> bool {
        self.budget.deadline.is_over() || crate::interrupt::check().is_err()
    }

    /// Decides what a pair calls that is not identical: the smaller candidates.
    fn settle_below(&self, matched: Matched) {
        self.under_way.borrow_mut().push(matched);
        for version in [Version::New, Version::Old] {
            for callee in self.context.matching.calls(version, matched[version]) {
                if let Called::Function(id) = callee
                    && self.context.matching.is_identical(version, id)
                {
                    continue;
                }
                if let Some(pair) = self.pair_of(version, callee) {
                    self.settle(pair);
                }
            }
        }
        self.under_way.borrow_mut().pop();
    }

    /// Whether all that a pair calls is identical or proved.
    fn is_settled_below(&self, matched: Matched) -> bool {
        self.context.matching.calls(Version::New, matched.new).into_iter().all(
            |callee| match callee {
                Called::Function(id) if self.context.matching.is_identical(Version::New, id) => {
                    true
                }
                _ => self.pair_of(Version::New, callee).is_some_and(|pair| self.is_proved(pair)),
            },
        )
    }

    fn pair_of(&self, version: Version, called: Called) -> Option<Matched> {
        let matched = self.context.matching.partner(version, called)?;
        let back = self.context.matching.partner(version.other(), matched[version.other()]);
        (back == Some(matched)).then_some(matched)
    }

    fn is_proved(&self, matched: Matched) -> bool {
        if let Some(standing) = self.settled.borrow().get(&matched) {
            return matches!(standing, Standing::Equal(_));
        }
        // A loop of a function that is identical: nobody has looked at it yet.
        if let Called::Loop(id, _) = matched.new
            && self.context.matching.is_identical(Version::New, id)
        {
            self.settle(matched);
            return matches!(self.standing(matched), Some(Standing::Equal(_)));
        }
        false
    }

    /// Decides a pair, or tries again with more time.
    fn decide(&self, matched: Matched, limit: Duration, again: bool) -> Standing {
        let span =
            debug_span!("pair", of = %self.name(matched), ?limit, standing = Empty).entered();
        let started = Instant::now();
        let deadline = self.budget.deadline.within(limit);
        self.under_way.borrow_mut().push(matched);
        let standing = self.try_engines(matched, deadline, again);
        self.under_way.borrow_mut().pop();
        match &standing {
            Standing::Equal(engine) => span.record("standing", format!("equal, by {engine:?}")),
            Standing::Different(_) => span.record("standing", "different"),
            Standing::Unknown(why) => {
                debug!(reason = %why.reason, at = self.place(why), "unknown");
                span.record("standing", "unknown")
            }
        };
        self.spent.set(self.spent.get() + started.elapsed());
        self.settled.borrow_mut().insert(matched, standing.clone());
        standing
    }

    fn try_engines(&self, matched: Matched, deadline: Deadline, again: bool) -> Standing {
        let interface = match Interface::new(self.context, matched) {
            Ok(interface) => interface,
            Err(reason) => return unknown(reason),
        };
        let proved = |pair: Matched| self.is_proved(pair);
        let known = Known { proved: &proved, hypothesis: Some(matched) };
        let mut depth = Depth { enter_all: self.without.uninterpreted, ..Depth::default() };
        let summarize = |depth| self.summarize(matched, &known, depth, Some(&interface), deadline);
        let mut last = debug_span!("engine", name = %"Summary").in_scope(|| summarize(&mut depth));
        if let Next::Done(standing) = last {
            return standing;
        }
        let mut finished = HashSet::new();
        let short = SHORT_ATTEMPTS.into_iter().filter(|_| !again);
        for (attempt, share) in short.chain(LONG_ATTEMPTS) {
            let left = deadline.left();
            if left.is_zero() || finished.contains(&attempt) {
                continue;
            }
            let least = match attempt {
                // What was found when its time is over is lost.
                Attempt::Product => LEAST * 2,
                _ => LEAST,
            };
            let until = Deadline::after((left / share).max(least.min(left)));
            let _span = debug_span!("engine", name = ?attempt).entered();
            let next = match attempt {
                Attempt::Turns(turns) => {
                    let mut deeper = Depth { turns: Some(turns), ..depth.clone() };
                    self.summarize(matched, &known, &mut deeper, None, until)
                }
                Attempt::Product => {
                    let depth = Depth { unfold: false, ..depth.clone() };
                    self.relate(matched, &known, &depth, until)
                }
                Attempt::Inputs if self.without.runs => continue,
                Attempt::Inputs => match self.try_inputs(matched, &interface, LONGER) {
                    Some(inputs) => Next::Done(Standing::Different(inputs)),
                    None => continue,
                },
            };
            let is_over = until.is_over();
            match next {
                Next::Done(Standing::Equal(_)) if matches!(attempt, Attempt::Turns(_)) => {
                    return Standing::Equal(Engine::Unroll);
                }
                Next::Done(standing) => return standing,
                Next::Stuck { why, bounded } => {
                    debug!(reason = %why.reason, at = self.place(&why), is_over, "stuck");
                    if !is_over {
                        finished.insert(attempt);
                    }
                    if !is_over && !bounded {
                        // More turns lead to the same.
                        finished.extend(SHORT_ATTEMPTS.map(|(attempt, _)| attempt));
                        finished.extend(LONG_ATTEMPTS.map(|(attempt, _)| attempt));
                    }
                    if attempt != Attempt::Product {
                        last = Next::Stuck { why, bounded };
                    }
                }
            }
        }
        match last {
            Next::Done(standing) => standing,
            Next::Stuck { why, .. } => Standing::Unknown(why),
        }
    }

    /// What a pair is called in logs.
    fn name(&self, matched: Matched) -> String {
        let (Called::Function(id) | Called::Loop(id, _)) = matched.new;
        let name = &self.context.matching.codes.new.program.function(id).name;
        match matched.new {
            Called::Function(_) => name.clone(),
            Called::Loop(_, number)
                if self.context.matching.is_region(Version::New, matched.new) =>
            {
                format!("part {} of {name}", number.0)
            }
            Called::Loop(_, number) => format!("loop {} of {name}", number.0),
        }
    }

    /// Where the way ended on which something could not be decided, for logs.
    fn place(&self, why: &Why) -> Option<String> {
        let (version, function, span) = why.place?;
        let program = self.context.matching.codes[version].program;
        let name = &program.function(function).name;
        match span.is_known() {
            true => Some(format!("{name} ({}:{})", program.file(span), span.line)),
            false => Some(name.clone()),
        }
    }

    /// Looks for relations between loops.
    fn relate(
        &self,
        matched: Matched,
        known: &Known<'_>,
        depth: &Depth,
        deadline: Deadline,
    ) -> Next {
        let forms = &mut self.forms.borrow_mut();
        match product::relate(self.context, matched, known, depth, forms, self.solver, deadline) {
            Related::Equal => {
                self.partial.borrow_mut().insert(matched.new);
                Next::Done(Standing::Equal(Engine::Product))
            }
            Related::Different(inputs) => Next::Done(Standing::Different(inputs)),
            Related::Nothing => {
                let reason = NoProof::LoopRelation.into();
                Next::Stuck { why: Why { reason, place: None }, bounded: true }
            }
        }
    }

    /// Whether some input leads from the client into changed code. None where that is not known.
    pub fn is_exercised(&self, matched: Matched) -> Option<bool> {
        // The conditions are those of calls.
        let itself = |version: Version| {
            let (Called::Function(id) | Called::Loop(id, _)) = matched[version];
            self.context.matching.is_changed(version, id)
        };
        if Version::BOTH.into_iter().any(itself) {
            return None;
        }
        let proved = |pair: Matched| self.is_proved(pair);
        let known = Known { proved: &proved, hypothesis: None };
        let depth = Depth::default();
        let deadline = self.budget.deadline.within(EXERCISING);
        let mut run = self.context.run(matched, &known, &depth, self.solver, deadline).ok()?;
        let never = |term: Term| run.terms.as_bool(term) == Some(false);
        if run.exercises.is_empty() || !run.halts.iter().flatten().all(|it| never(it.condition)) {
            return None;
        }
        let exercised = run.terms.or(run.exercises.iter().copied());
        let asserted = [&run.facts[..], &[exercised]].concat();
        let is_plain =
            run.terms.symbols(&asserted).is_empty() && run.records.iter().all(Vec::is_empty);
        match self.solver.check(&run.terms, &asserted, EXERCISING) {
            Answer::Unsat => Some(false),
            Answer::Sat(_) if is_plain => Some(true),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }

    /// Inputs on which a pair may differ; none if what it takes cannot be made.
    pub fn inputs_to_run(&self, matched: Matched, number: usize) -> Vec<Inputs> {
        let Ok(interface) = Interface::new(self.context, matched) else {
            return Vec::new();
        };
        let mut chooser = self.chooser(matched, &interface);
        let number = if chooser.is_single() { 1 } else { number };
        (0..number).map(|_| chooser.next_inputs()).collect()
    }

    fn chooser(&self, matched: Matched, interface: &Interface) -> Chooser {
        let types: Vec<_> = interface.params.new.iter().map(|(_, ty)| *ty).collect();
        Chooser::new(&self.context.matching, &self.context.shapes.new, matched, &types)
    }

    /// Runs a pair on chosen inputs.
    fn try_inputs(
        &self,
        matched: Matched,
        interface: &Interface,
        trying: Trying,
    ) -> Option<Inputs> {
        let mut chooser = self.chooser(matched, interface);
        chooser.only_small = trying.only_small;
        let deadline = Deadline::after(trying.time);
        let mut in_vain = 0;
        for number in 0..trying.inputs {
            let inputs = chooser.next_inputs();
            match self.context.run_on(matched, &inputs, trying.steps) {
                Shown::Different => return Some(inputs),
                Shown::Same => {}
                Shown::Nothing => in_vain += 1,
            }
            if chooser.is_single() || deadline.is_over() || (number > 20 && in_vain > number) {
                break;
            }
        }
        None
    }

    /// Symbolic runs, in which more and more calls are entered. With an interface, inputs are tried
    /// before the solver is asked.
    fn summarize(
        &self,
        matched: Matched,
        known: &Known<'_>,
        depth: &mut Depth,
        mut untried: Option<&Interface>,
        deadline: Deadline,
    ) -> Next {
        let hypothesis = Key::Proved(matched.new);
        for _ in 0..REFINEMENTS {
            let mut run = match self.context.run(matched, known, depth, self.solver, deadline) {
                Ok(run) => run,
                Err(reason) => return Next::Done(unknown(reason)),
            };
            if !self.without.runs
                && !run.is_plainly_equal()
                && let Some(interface) = untried.take()
                && let Some(inputs) = self.try_inputs(matched, interface, TRY)
            {
                return Next::Done(Standing::Different(inputs));
            }
            let said = run.ask(self.solver, deadline);
            let mut keys = run.symbols.keys_in(&run.terms, &[run.difference]);
            let inductive = run.symbols.uses(hypothesis);
            keys.remove(&hypothesis);
            keys.retain(|key| !depth.entered.contains(key));
            match said {
                Said::Equal => {
                    let rests_on_partial = run.symbols.keys().any(|key| match key {
                        Key::Proved(called) => self.partial.borrow().contains(called),
                        Key::Same(_) => false,
                    });
                    let by_induction = inductive && !run.is_plainly_equal();
                    if rests_on_partial || by_induction || run.may_run_on() {
                        self.partial.borrow_mut().insert(matched.new);
                    }
                    let engine = if inductive { Engine::Product } else { Engine::Summary };
                    return Next::Done(Standing::Equal(engine));
                }
                Said::Maybe(assignment) => {
                    let inputs = run.inputs(&assignment);
                    if self.context.run_on(matched, &inputs, CONFIRM) == Shown::Different {
                        return Next::Done(Standing::Different(inputs));
                    }
                    // A model that rests on what loops give says nothing of the calls beside them.
                    let rests_on_loops = depth.turns.is_none() && run.rests_on_records();
                    if rests_on_loops {
                        keys.clear();
                    }
                    if keys.is_empty() && !rests_on_loops && inductive && !depth.unfold {
                        depth.unfold = true;
                        continue;
                    }
                    if keys.is_empty() {
                        let reason = NoProof::UnconfirmedDifference.into();
                        let why = Why { reason, place: None };
                        return Next::Stuck { why, bounded: true };
                    }
                }
                Said::Incomplete(halt) => {
                    // How often a loop turns, or what is looked at, may rest on what a call gives.
                    let mut behind = run.symbols.keys_in(&run.terms, &[halt.condition]);
                    behind.remove(&hypothesis);
                    behind.retain(|key| !depth.entered.contains(key));
                    if halt.may_vanish_inside_of_calls()
                        && !behind.is_empty()
                        && !deadline.is_over()
                    {
                        depth.entered.extend(behind);
                        continue;
                    }
                    let of_old = run.halts.old.iter().any(|it| it.condition == halt.condition);
                    let version = if of_old { Version::Old } else { Version::New };
                    let place = Some((version, halt.function, halt.span));
                    let why = Why { reason: halt.reason, place };
                    let bounded = halt.bounded;
                    return Next::Stuck { why, bounded };
                }
                Said::Unknown(reason) => {
                    if keys.is_empty() {
                        let why = Why { reason, place: None };
                        return Next::Stuck { why, bounded: false };
                    }
                }
            }
            depth.entered.extend(keys);
            if deadline.is_over() {
                break;
            }
        }
        let why = Why { reason: LimitReached::Time.into(), place: None };
        Next::Stuck { why, bounded: false }
    }
}

/// What a series of runs led to.
enum Next {
    Done(Standing),
    Stuck {
        why: Why,
        /// Whether more turns may lead on.
        bounded: bool,
    },
}

fn unknown(reason: Reason) -> Standing {
    Standing::Unknown(Why { reason, place: None })
}
