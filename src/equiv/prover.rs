//! Decides pairs: cheapest engine first, each under a budget.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use tracing::field::Empty;
use tracing::{debug, debug_span, info_span};

use super::alike::Likeness;
use super::attempt::{CONFIRM, Inputs, Question, Said, Shown};
use super::context::Context;
use super::engines::{Attempt, Method, Needs, ProductStep, Schedule, Trial};
use super::inputs::Chooser;
use super::matching::Matched;
use super::policy::{Assumptions, Exploration, Key};
use super::product::{self, LoopForms, Related};
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
pub enum PairVerdict {
    /// For all that they can be given, the two sides do the same: see [`Prover::is_partial`].
    Equal(Engine),
    /// On these inputs, the two sides do not do the same: an interpreter ran them.
    Different(Inputs),
    Unknown(Obstacle),
}

/// Why a pair could not be decided.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub reason: Reason,
    /// Where the way ended, on the side given.
    pub place: Option<(Version, FnId, Span)>,
}

/// What may be left out, to measure what it is good for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ablation {
    /// Only entry points are looked at, as wholes.
    pub boundaries: bool,
    /// Every call is entered.
    pub uninterpreted: bool,
    /// No inputs are tried before proving.
    pub runs: bool,
}

impl Ablation {
    /// `CARGO_CSE_WITHOUT` names them, separated by commas: for measuring only.
    pub fn from_environment() -> Ablation {
        let named = std::env::var("CARGO_CSE_WITHOUT").unwrap_or_default();
        let has = |name: &str| named.split(',').any(|it| it == name);
        Ablation {
            boundaries: has("boundaries"),
            uninterpreted: has("uninterpreted"),
            runs: has("runs"),
        }
    }
}

/// What is known of the pairs of two programs.
#[derive(Clone, Debug, Default)]
pub struct PairVerdicts {
    standings: HashMap<Matched, PairVerdict>,
    partial: HashSet<Called>,
}

impl PairVerdicts {
    pub fn get(&self, matched: Matched) -> Option<&PairVerdict> {
        self.standings.get(&matched)
    }

    /// What was decided once stays decided.
    pub fn extend(&mut self, other: PairVerdicts) {
        for (matched, standing) in other.standings {
            match self.standings.get(&matched) {
                Some(PairVerdict::Equal(_) | PairVerdict::Different(_)) => {}
                Some(PairVerdict::Unknown(_)) | None => {
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
    schedule: Schedule,
    deadline: Deadline,
    ablation: Ablation,
    settled: RefCell<HashMap<Matched, PairVerdict>>,
    under_way: RefCell<Vec<Matched>>,
    /// The parts of functions that were looked at.
    alike: RefCell<HashMap<Likeness, Matched>>,
    /// What was proved by induction over loops or recursion that are not the same on both sides, or
    /// beside such.
    partial: RefCell<HashSet<Called>>,
    /// What was found of loops run side by side.
    forms: RefCell<LoopForms>,
    /// The time for the next candidate: 2clever, section 4.3.
    next_limit: Cell<Duration>,
    pub spent: Cell<Duration>,
}

/// How long it may take to find out whether changed code is exercised.
const EXERCISING: Duration = Duration::from_millis(300);
/// How often calls are entered that a difference rests on.
const REFINEMENTS: u32 = 8;

impl<'p, 'a> Prover<'p, 'a> {
    pub fn new(
        context: &'p Context<'a>,
        solver: &'p Solver,
        schedule: Schedule,
        deadline: Deadline,
        ablation: Ablation,
        earlier: &PairVerdicts,
    ) -> Prover<'p, 'a> {
        // What is unknown is tried again.
        let mut settled = earlier.standings.clone();
        settled.retain(|_, standing| !matches!(standing, PairVerdict::Unknown(_)));
        Prover {
            context,
            solver,
            schedule,
            deadline,
            ablation,
            settled: RefCell::new(settled),
            under_way: RefCell::default(),
            alike: RefCell::default(),
            partial: RefCell::new(earlier.partial.clone()),
            forms: RefCell::default(),
            next_limit: Cell::new(schedule.candidate),
            spent: Cell::default(),
        }
    }

    /// All that was found out.
    pub fn standings(self) -> PairVerdicts {
        PairVerdicts { standings: self.settled.into_inner(), partial: self.partial.into_inner() }
    }

    /// Whether inputs on which one of the sides does not end are outside of what was proved.
    pub fn is_partial(&self, matched: Matched) -> bool {
        self.partial.borrow().contains(&matched.new)
    }

    fn standing(&self, matched: Matched) -> Option<PairVerdict> {
        self.settled.borrow().get(&matched).cloned()
    }

    /// Decides an entry point: the last candidate, which gets the time that is left.
    pub fn settle_entry(&self, matched: Matched) -> PairVerdict {
        let _span = info_span!("entry", function = %self.name(matched)).entered();
        if !self.ablation.boundaries {
            self.settle_below(matched);
        }
        match self.standing(matched) {
            Some(standing) if !matches!(standing, PairVerdict::Unknown(_)) => standing,
            _ => self.decide(matched, self.schedule.entry, self.schedule.is_repeated),
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
        let least = self.schedule.candidate;
        self.next_limit.set(next.clamp(least, self.schedule.entry));
        if let Some(likeness) = likeness {
            self.alike.borrow_mut().insert(likeness, matched);
        }
    }

    fn is_over(&self) -> bool {
        self.deadline.is_over() || crate::interrupt::check().is_err()
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
            return matches!(standing, PairVerdict::Equal(_));
        }
        // A loop of a function that is identical: nobody has looked at it yet.
        if let Called::Loop(id, _) = matched.new
            && self.context.matching.is_identical(Version::New, id)
        {
            self.settle(matched);
            return matches!(self.standing(matched), Some(PairVerdict::Equal(_)));
        }
        false
    }

    /// Decides a pair, or tries again with more time.
    fn decide(&self, matched: Matched, limit: Duration, again: bool) -> PairVerdict {
        let span =
            debug_span!("pair", of = %self.name(matched), ?limit, standing = Empty).entered();
        let started = Instant::now();
        let deadline = self.deadline.within(limit);
        self.under_way.borrow_mut().push(matched);
        let standing = self.try_engines(matched, deadline, again);
        self.under_way.borrow_mut().pop();
        match &standing {
            PairVerdict::Equal(engine) => span.record("standing", format!("equal, by {engine:?}")),
            PairVerdict::Different(_) => span.record("standing", "different"),
            PairVerdict::Unknown(why) => {
                debug!(reason = %why.reason, at = self.place(why), "unknown");
                span.record("standing", "unknown")
            }
        };
        self.spent.set(self.spent.get() + started.elapsed());
        self.settled.borrow_mut().insert(matched, standing.clone());
        standing
    }

    fn try_engines(&self, matched: Matched, deadline: Deadline, again: bool) -> PairVerdict {
        let interface = match Interface::new(self.context, matched) {
            Ok(interface) => interface,
            Err(reason) => return unknown(reason),
        };
        let proved = |pair: Matched| self.is_proved(pair);
        let known = Assumptions { proved: &proved, hypothesis: Some(matched) };
        let mut depth =
            Exploration { enter_all: self.ablation.uninterpreted, ..Exploration::default() };
        let mut last = Obstacle { reason: LimitReached::Time.into(), place: None };
        let mut finished = HashSet::new();
        let mut loops_are_open = true;
        let attempts = self.schedule.attempts.iter().filter(|it| !(again && it.is_short));
        for &Attempt { method, needs, share, least, .. } in attempts {
            let left = deadline.left();
            let is_worth_its_time = match needs {
                Needs::Nothing => true,
                Needs::OpenLoops => loops_are_open && !left.is_zero(),
            };
            if !is_worth_its_time || finished.contains(&method) {
                continue;
            }
            let until = Deadline::after((left / share).max(least.min(left)));
            let _span = debug_span!("engine", name = ?method).entered();
            let next = match method {
                Method::Summary(trial) => {
                    let trial = (!self.ablation.runs).then_some((&interface, trial));
                    self.summarize(matched, &known, &mut depth, trial, until)
                }
                Method::Unroll(iterations) => {
                    let mut deeper = Exploration { iterations: Some(iterations), ..depth.clone() };
                    self.summarize(matched, &known, &mut deeper, None, until)
                }
                Method::Product(steps) => {
                    let depth = Exploration { unfold: false, ..depth.clone() };
                    let (known, depth, solver) = (&known, &depth, self.solver);
                    let deadline = until;
                    self.relate(&Question { matched, known, depth, solver, deadline }, steps)
                }
                Method::Inputs(_) if self.ablation.runs => continue,
                Method::Inputs(trial) => match self.try_inputs(matched, &interface, trial) {
                    Some(inputs) => Next::Done(PairVerdict::Different(inputs)),
                    None => continue,
                },
            };
            let is_over = until.is_over();
            let unrolls = matches!(method, Method::Unroll(_));
            match next {
                Next::Done(PairVerdict::Equal(_)) if unrolls => {
                    return PairVerdict::Equal(Engine::Unroll);
                }
                Next::Done(standing) => return standing,
                Next::Stuck { why, bounded } => {
                    debug!(reason = %why.reason, at = self.place(&why), is_over, "stuck");
                    if !is_over {
                        finished.insert(method);
                        loops_are_open &= bounded || !unrolls;
                    }
                    // That no relation was found says less than what kept others from an answer.
                    if !matches!(method, Method::Product(_)) {
                        last = why;
                    }
                }
            }
        }
        PairVerdict::Unknown(last)
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
    fn place(&self, why: &Obstacle) -> Option<String> {
        let (version, function, span) = why.place?;
        let program = self.context.matching.codes[version].program;
        let name = &program.function(function).name;
        match span.is_known() {
            true => Some(format!("{name} ({}:{})", program.file(span), span.line)),
            false => Some(name.clone()),
        }
    }

    /// Looks for relations between loops.
    fn relate(&self, question: &Question<'_>, steps: &[ProductStep]) -> Next {
        match product::relate(self.context, question, steps, &mut self.forms.borrow_mut()) {
            Related::Equal => {
                self.partial.borrow_mut().insert(question.matched.new);
                Next::Done(PairVerdict::Equal(Engine::Product))
            }
            Related::Different(inputs) => Next::Done(PairVerdict::Different(inputs)),
            Related::Nothing => {
                let reason = NoProof::LoopRelation.into();
                Next::Stuck { why: Obstacle { reason, place: None }, bounded: true }
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
        let known = Assumptions { proved: &proved, hypothesis: None };
        let depth = Exploration::default();
        let deadline = self.deadline.within(EXERCISING);
        let solver = self.solver;
        let question = Question { matched, known: &known, depth: &depth, solver, deadline };
        let mut run = self.context.run(&question).ok()?;
        let never = |term: Term| run.terms.as_bool(term) == Some(false);
        if run.exercises.is_empty()
            || !run.incomplete.iter().flatten().all(|it| never(it.condition))
        {
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
    fn try_inputs(&self, matched: Matched, interface: &Interface, trial: Trial) -> Option<Inputs> {
        let mut chooser = self.chooser(matched, interface);
        chooser.only_small = trial.only_small;
        let deadline = Deadline::after(trial.time);
        let mut in_vain = 0;
        for number in 0..trial.inputs {
            let inputs = chooser.next_inputs();
            match self.context.run_on(matched, &inputs, trial.steps) {
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

    /// Symbolic runs, in which more and more calls are entered. Before the solver is first asked, inputs
    /// are tried as `trial` says.
    fn summarize(
        &self,
        matched: Matched,
        known: &Assumptions<'_>,
        depth: &mut Exploration,
        mut trial: Option<(&Interface, Trial)>,
        deadline: Deadline,
    ) -> Next {
        let hypothesis = Key::Proved(matched.new);
        for _ in 0..REFINEMENTS {
            let question = Question { matched, known, depth, solver: self.solver, deadline };
            let mut run = match self.context.run(&question) {
                Ok(run) => run,
                Err(reason) => return Next::Done(unknown(reason)),
            };
            if !run.is_plainly_equal()
                && let Some((interface, trial)) = trial.take()
                && let Some(inputs) = self.try_inputs(matched, interface, trial)
            {
                return Next::Done(PairVerdict::Different(inputs));
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
                    return Next::Done(PairVerdict::Equal(engine));
                }
                Said::Maybe(assignment) => {
                    let inputs = run.inputs(&assignment);
                    if self.context.run_on(matched, &inputs, CONFIRM) == Shown::Different {
                        return Next::Done(PairVerdict::Different(inputs));
                    }
                    // A model that rests on what loops give says nothing of the calls beside them.
                    let rests_on_loops = depth.iterations.is_none() && run.rests_on_records();
                    if rests_on_loops {
                        keys.clear();
                    }
                    if keys.is_empty() && !rests_on_loops && inductive && !depth.unfold {
                        depth.unfold = true;
                        continue;
                    }
                    if keys.is_empty() {
                        let reason = NoProof::UnconfirmedDifference.into();
                        let why = Obstacle { reason, place: None };
                        return Next::Stuck { why, bounded: true };
                    }
                }
                Said::Incomplete(path) => {
                    // How often a loop is run, or what is looked at, may rest on what a call gives.
                    let mut behind = run.symbols.keys_in(&run.terms, &[path.condition]);
                    behind.remove(&hypothesis);
                    behind.retain(|key| !depth.entered.contains(key));
                    if path.may_vanish_inside_of_calls()
                        && !behind.is_empty()
                        && !deadline.is_over()
                    {
                        depth.entered.extend(behind);
                        continue;
                    }
                    let of_old = run.incomplete.old.iter().any(|it| it.condition == path.condition);
                    let version = if of_old { Version::Old } else { Version::New };
                    let place = Some((version, path.function, path.span));
                    let why = Obstacle { reason: path.reason, place };
                    let bounded = path.bounded;
                    return Next::Stuck { why, bounded };
                }
                Said::Unknown(reason) => {
                    if keys.is_empty() {
                        let why = Obstacle { reason, place: None };
                        return Next::Stuck { why, bounded: false };
                    }
                }
            }
            depth.entered.extend(keys);
            if deadline.is_over() {
                break;
            }
        }
        let why = Obstacle { reason: LimitReached::Time.into(), place: None };
        Next::Stuck { why, bounded: false }
    }
}

/// What a series of runs led to.
enum Next {
    Done(PairVerdict),
    Stuck {
        why: Obstacle,
        /// Whether more iterations may lead on.
        bounded: bool,
    },
}

fn unknown(reason: Reason) -> PairVerdict {
    PairVerdict::Unknown(Obstacle { reason, place: None })
}
