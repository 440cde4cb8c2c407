//! Decides pairs: cheapest engine first, each under a budget.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::attempt::{Inputs, Said, Shown, Sides};
use super::inputs::Chooser;
use super::matching::{Matched, Matching};
use super::policy::{Depth, Key, Known};
use super::product;
use super::start::Interface;
use crate::cfa::{FnId, Span};
use crate::report::schema::Engine;
use crate::solver::Solver;
use crate::sym::{Called, Shapes};

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
    pub reason: String,
    /// Where the way ended, on the side given.
    pub place: Option<(usize, FnId, Span)>,
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
    pub deadline: Instant,
}

/// Decides pairs of two programs, and remembers what it decided.
pub struct Prover<'p, 'a> {
    sides: Sides<'p, 'a>,
    solver: &'p Solver,
    budget: Budget,
    without: Without,
    settled: RefCell<HashMap<Matched, Standing>>,
    under_way: RefCell<Vec<Matched>>,
    /// What was proved by induction over loops or recursion that are not the same on both sides.
    partial: RefCell<HashSet<Called>>,
    /// The time for the next candidate: 2clever, section 4.3.
    next_limit: Cell<Duration>,
    pub spent: Cell<Duration>,
}

/// How many inputs are tried on a pair, and for how long.
const TRIES: u32 = 300;
const TRYING: Duration = Duration::from_millis(40);
/// How many steps a run on known inputs may take: one to find a difference, one to confirm it.
const TRY: u64 = 3_000;
const CONFIRM: u64 = 100_000;
/// How often calls are entered that a difference rests on.
const REFINEMENTS: u32 = 8;
/// How many turns of loops are run, in the order of trying.
const TURNS: [u32; 4] = [2, 10, 24, 70];

impl<'p, 'a> Prover<'p, 'a> {
    pub fn new(
        matching: &'p Matching<'a>,
        shapes: &'p [Shapes<'a>; 2],
        solver: &'p Solver,
        budget: Budget,
        without: Without,
    ) -> Prover<'p, 'a> {
        Prover {
            sides: Sides { matching, shapes },
            solver,
            budget,
            without,
            settled: RefCell::default(),
            under_way: RefCell::default(),
            partial: RefCell::default(),
            next_limit: Cell::new(budget.candidate),
            spent: Cell::default(),
        }
    }

    /// Whether inputs on which one of the sides does not end are outside of what was proved.
    pub fn is_partial(&self, matched: Matched) -> bool {
        self.partial.borrow().contains(&matched.new)
    }

    pub fn standing(&self, matched: Matched) -> Option<Standing> {
        self.settled.borrow().get(&matched).cloned()
    }

    /// Decides an entry point: the last candidate, which gets the time that is left.
    pub fn settle_entry(&self, matched: Matched) -> Standing {
        if !self.without.boundaries {
            self.settle_below(matched);
        }
        match self.standing(matched) {
            Some(standing) if !matches!(standing, Standing::Unknown(_)) => standing,
            _ => self.decide(matched, self.budget.entry),
        }
    }

    /// Decides a candidate, after those inside it.
    fn settle(&self, matched: Matched) {
        let known = self.settled.borrow().contains_key(&matched);
        if known || self.under_way.borrow().contains(&matched) || self.is_over() {
            return;
        }
        self.settle_below(matched);
        let limit = self.next_limit.get();
        let started = Instant::now();
        let standing = self.decide(matched, limit);
        let next = match started.elapsed() {
            taken if taken >= limit => limit * 2,
            taken if taken * 2 <= limit => limit / 2,
            _ => limit,
        };
        let least = self.budget.candidate;
        self.next_limit.set(next.clamp(least, self.budget.entry));
        let _ = standing;
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.budget.deadline || crate::interrupt::check().is_err()
    }

    /// Decides what a pair calls that is not identical: the smaller candidates.
    fn settle_below(&self, matched: Matched) {
        self.under_way.borrow_mut().push(matched);
        for side in [1, 0] {
            for callee in self.sides.matching.calls(side, matched.side(side)) {
                if let Called::Function(id) = callee
                    && self.sides.matching.is_identical(side, id)
                {
                    continue;
                }
                if let Some(pair) = self.pair_of(side, callee) {
                    self.settle(pair);
                }
            }
        }
        self.under_way.borrow_mut().pop();
    }

    fn pair_of(&self, side: usize, called: Called) -> Option<Matched> {
        let matched = self.sides.matching.partner(side, called)?;
        let back = self.sides.matching.partner(1 - side, matched.side(1 - side));
        (back == Some(matched)).then_some(matched)
    }

    fn is_proved(&self, matched: Matched) -> bool {
        if let Some(standing) = self.settled.borrow().get(&matched) {
            return matches!(standing, Standing::Equal(_));
        }
        // A loop of a function that is identical: nobody has looked at it yet.
        if let Called::Loop(id, _) = matched.new
            && self.sides.matching.is_identical(1, id)
        {
            self.settle(matched);
            return matches!(self.standing(matched), Some(Standing::Equal(_)));
        }
        false
    }

    fn decide(&self, matched: Matched, limit: Duration) -> Standing {
        let started = Instant::now();
        let deadline = (started + limit).min(self.budget.deadline);
        self.under_way.borrow_mut().push(matched);
        let standing = self.try_engines(matched, deadline);
        self.under_way.borrow_mut().pop();
        if std::env::var_os("CARGO_CSE_TRACE").is_some() {
            let (Called::Function(id) | Called::Loop(id, _)) = matched.new;
            let name = &self.sides.matching.codes[1].program.function(id).name;
            eprintln!(
                "{name} {:?}: {standing:?} after {:?} of {limit:?}",
                matched.new,
                started.elapsed()
            );
        }
        self.spent.set(self.spent.get() + started.elapsed());
        self.settled.borrow_mut().insert(matched, standing.clone());
        standing
    }

    fn try_engines(&self, matched: Matched, deadline: Instant) -> Standing {
        let interface = match Interface::new(self.sides.matching, self.sides.shapes, matched) {
            Ok(interface) => interface,
            Err(reason) => return unknown(&reason),
        };
        let proved = |pair: Matched| self.is_proved(pair);
        let known = Known { proved: &proved, hypothesis: Some(matched) };
        let mut depth = Depth { enter_all: self.without.uninterpreted, ..Depth::default() };
        let mut last = self.summarize(matched, &known, &mut depth, Some(&interface), deadline);
        if let Next::Done(standing) = last {
            return standing;
        }
        for (index, turns) in TURNS.into_iter().enumerate() {
            if Instant::now() >= deadline {
                break;
            }
            let mut deeper = depth.clone();
            deeper.turns = Some(turns);
            // Not all of the time for a few turns: a proof for any number needs some too.
            let now = Instant::now();
            let share = if index < 2 { 6 } else { 1 };
            let until = now + deadline.saturating_duration_since(now) / share;
            match self.summarize(matched, &known, &mut deeper, None, until) {
                Next::Done(Standing::Equal(_)) => return Standing::Equal(Engine::Unroll),
                Next::Done(standing) => return standing,
                Next::Stuck { why, bounded } => last = Next::Stuck { why, bounded },
            }
            let is_bounded = matches!(last, Next::Stuck { bounded: true, .. });
            // A few turns show most differences, and all that short loops do; then a proof for any
            // number is worth its time.
            if index == 1 {
                let now = Instant::now();
                let until = now + deadline.saturating_duration_since(now) / 2;
                if product::proves(&self.sides, matched, &known, &depth, self.solver, until) {
                    self.partial.borrow_mut().insert(matched.new);
                    return Standing::Equal(Engine::Product);
                }
            }
            if !is_bounded && index >= 1 {
                break;
            }
        }
        match last {
            Next::Done(standing) => standing,
            Next::Stuck { why, .. } => Standing::Unknown(why),
        }
    }

    /// Runs a pair on chosen inputs.
    fn try_inputs(&self, matched: Matched, interface: &Interface) -> Option<Inputs> {
        let types: Vec<_> = interface.params[1].iter().map(|(_, ty)| *ty).collect();
        let mut chooser = Chooser::new(self.sides.matching, &self.sides.shapes[1], matched, &types);
        let deadline = Instant::now() + TRYING;
        let mut in_vain = 0;
        for number in 0..TRIES {
            let inputs = chooser.next_inputs();
            match self.sides.run_on(matched, &inputs, TRY) {
                Shown::Different => return Some(inputs),
                Shown::Same => {}
                Shown::Nothing => in_vain += 1,
            }
            if chooser.is_single()
                || Instant::now() >= deadline
                || (number > 20 && in_vain > number)
            {
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
        deadline: Instant,
    ) -> Next {
        let hypothesis = Key::Proved(matched.new);
        for _ in 0..REFINEMENTS {
            let mut run = match self.sides.run(matched, known, depth, self.solver, deadline) {
                Ok(run) => run,
                Err(reason) => return Next::Done(unknown(&reason)),
            };
            if !self.without.runs
                && !run.is_plainly_equal()
                && let Some(interface) = untried.take()
                && let Some(inputs) = self.try_inputs(matched, interface)
            {
                return Next::Done(Standing::Different(inputs));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let said = run.ask(self.solver, left);
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
                    if rests_on_partial || (inductive && !run.is_plainly_equal()) {
                        self.partial.borrow_mut().insert(matched.new);
                    }
                    let engine = if inductive { Engine::Product } else { Engine::Summary };
                    return Next::Done(Standing::Equal(engine));
                }
                Said::Maybe(assignment) => {
                    let inputs = run.inputs(&assignment);
                    if self.sides.run_on(matched, &inputs, CONFIRM) == Shown::Different {
                        return Next::Done(Standing::Different(inputs));
                    }
                    if keys.is_empty() && inductive && !depth.unfold {
                        depth.unfold = true;
                        continue;
                    }
                    if keys.is_empty() {
                        let reason = "a difference that the solver found could not be shown";
                        let why = Why { reason: reason.to_owned(), place: None };
                        return Next::Stuck { why, bounded: true };
                    }
                }
                Said::Incomplete(halt) => {
                    let side =
                        usize::from(!run.halts[0].iter().any(|it| it.condition == halt.condition));
                    let place = Some((side, halt.function, halt.span));
                    let why = Why { reason: halt.reason.to_string(), place };
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
            if Instant::now() >= deadline {
                break;
            }
        }
        let why = Why { reason: "the time for it was over".to_owned(), place: None };
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

fn unknown(reason: &str) -> Standing {
    Standing::Unknown(Why { reason: reason.to_owned(), place: None })
}
