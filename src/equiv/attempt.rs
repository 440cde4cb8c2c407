//! One run of both sides from one symbolic state, and what it says.

use std::collections::BTreeMap;
use std::time::Duration;

use tracing::debug;

use super::abstraction::abstract_arithmetic;
use super::context::Context;
use super::matching::Matched;
use super::outcome::{Incomparable, Outcome, difference};
use super::parts::refutes;
use super::policy::{Assumptions, CallSymbols, Choose, EnterAll, Exploration, Feasibility};
use super::start::{Interface, Start};
use super::unfold::{run_once, unfold};
use crate::deadline::Deadline;
use crate::reason::{NoCode, NoProof, Reason};
use crate::solver::{Answer, Assignment, Node, Solver, Sort, Symbol, Term, Terms};
use crate::sym::{
    Activation, ExecutionLimits, Executor, IncompletePath, NanBits, Policy, Record, Trace,
};
use crate::version::{Both, Version};

/// Whether the two sides of a pair do the same, with what an answer may rest on.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    pub matched: Matched,
    pub known: &'q Assumptions<'q>,
    pub depth: &'q Exploration,
    pub solver: &'q Solver,
    pub deadline: Deadline,
}

/// What came out of a run of both sides.
pub struct Run {
    pub terms: Terms,
    pub start: Start,
    /// What holds of all variables.
    pub facts: Vec<Term>,
    /// The condition under which the two sides differ.
    pub difference: Term,
    pub incomplete: Both<Vec<IncompletePath>>,
    pub records: Both<Vec<Record>>,
    pub symbols: CallSymbols,
    /// The conditions under which the client calls changed code.
    pub exercises: Vec<Term>,
    /// Whether one side makes more uninterpreted calls than the other.
    calls_differ: bool,
}

/// Values for the leaves of what code takes.
pub type Inputs = Vec<u128>;

/// What a run on known inputs showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Same,
    Different,
    /// Could not be run to its end.
    Nothing,
}

/// The stack of a thread that runs code: calls and iterations of loops nest.
pub const STACK: usize = 1 << 30;

const SYMBOLIC: ExecutionLimits =
    ExecutionLimits { steps: 60_000, depth: 200, terms: 500_000, deadline: None };
const CONCRETE: ExecutionLimits =
    ExecutionLimits { steps: 100_000, depth: 20_000, terms: 2_000_000, deadline: None };
/// How many steps a run may take that is to confirm a difference.
pub const CONFIRM: u64 = 100_000;
/// How long it may take to record what a run did.
const FOLLOWING: Duration = Duration::from_secs(2);

impl Context<'_> {
    /// Runs both sides on any values.
    pub fn run(&self, question: &Question<'_>) -> Result<Run, Reason> {
        let Question { matched, known, depth, solver, deadline } = *question;
        let interface = Interface::new(self, matched)?;
        let mut terms = Terms::new();
        let start = Start::new(
            &mut terms,
            &self.shapes.new,
            &interface,
            NanBits::WithBits,
            &mut |terms, sort| terms.var(sort),
        )?;
        let mut facts = start.facts.clone();
        let mut symbols = CallSymbols::default();
        let (mut incomplete, mut records): (Both<Vec<IncompletePath>>, Both<Vec<Record>>) =
            Default::default();
        let mut applications: Both<Vec<Record>> = Default::default();
        let mut exercises = Vec::new();
        let outcomes = Both::try_from_fn(|version| {
            let mut policy = Choose {
                version,
                matching: &self.matching,
                known,
                depth,
                symbols: &mut symbols,
                paths: depth
                    .iterations
                    .map(|_| Feasibility::new(solver, start.facts.clone(), deadline)),
            };
            let mut executor = Executor::new(
                &mut terms,
                &self.matching.codes[version],
                &self.shapes[version],
                &mut policy,
                ExecutionLimits { deadline: Some(deadline), ..SYMBOLIC },
                start.next_object,
            );
            let called = interface.called[version];
            let (ended, frame) = run_once(&mut executor, called, &interface, version, &start)
                .ok_or(Reason::from(NoCode::Bodyless))?;
            facts.append(&mut executor.facts);
            incomplete[version] = std::mem::take(&mut executor.incomplete);
            records[version] = std::mem::take(&mut executor.records);
            applications[version] = std::mem::take(&mut executor.applications);
            exercises.append(&mut executor.exercises);
            Ok::<_, Reason>(Outcome::new(ended, &frame, &interface, version))
        })?;
        let shapes = &self.shapes.new;
        let difference =
            difference(&mut terms, shapes, &interface, &start, &outcomes, Incomparable::Different);
        if depth.unfold {
            for version in Version::BOTH {
                let mut policy = Choose {
                    version,
                    matching: &self.matching,
                    known,
                    depth,
                    symbols: &mut symbols,
                    paths: None,
                };
                unfold(self, version, &applications[version], &mut terms, &mut policy, &mut facts);
            }
        }
        let calls = applications.map(|it| numbers(&terms, &it));
        let calls_differ = calls.old != calls.new;
        Ok(Run {
            terms,
            start,
            facts,
            difference,
            incomplete,
            records,
            symbols,
            exercises,
            calls_differ,
        })
    }

    /// Runs both sides on known values.
    pub fn run_on(&self, matched: Matched, inputs: &Inputs, steps: u64) -> Shown {
        let limits = ExecutionLimits { steps, ..CONCRETE };
        self.run_known(matched, inputs, limits, &mut Both::default())
    }

    /// What both sides do on known values, call by call, if they differ there.
    pub fn follow(&self, matched: Matched, inputs: &Inputs) -> Option<Both<Activation>> {
        let limits = ExecutionLimits { deadline: Some(Deadline::after(FOLLOWING)), ..CONCRETE };
        let mut traces = Both::from_fn(|_| Some(Trace::default()));
        if self.run_known(matched, inputs, limits, &mut traces) != Shown::Different {
            return None;
        }
        traces.map(|it| it?.whole()).transpose()
    }

    fn run_known(
        &self,
        matched: Matched,
        inputs: &Inputs,
        limits: ExecutionLimits,
        traces: &mut Both<Option<Trace>>,
    ) -> Shown {
        let Ok(interface) = Interface::new(self, matched) else {
            return Shown::Nothing;
        };
        let mut terms = Terms::new();
        let mut given = inputs.iter().copied();
        let start = Start::new(
            &mut terms,
            &self.shapes.new,
            &interface,
            NanBits::WithBits,
            &mut |terms, sort| {
                let value = given.next().unwrap_or(0);
                match sort {
                    Sort::Bool => terms.bool(value & 1 == 1),
                    Sort::Bits(width) => terms.bits(value, width),
                    Sort::EffectState => terms.var(sort),
                }
            },
        );
        let Ok(start) = start else { return Shown::Nothing };
        let valid = start.facts.iter().all(|fact| terms.as_bool(*fact) == Some(true));
        if !valid {
            return Shown::Nothing;
        }
        let outcomes = Both::try_from_fn(|version| {
            let mut policy = EnterAll;
            let mut executor = Executor::new(
                &mut terms,
                &self.matching.codes[version],
                &self.shapes[version],
                &mut policy as &mut dyn Policy,
                limits,
                start.next_object,
            );
            executor.trace = traces[version].take();
            let called = interface.called[version];
            let ran = run_once(&mut executor, called, &interface, version, &start);
            traces[version] = executor.trace.take();
            let (ended, frame) = ran.ok_or(NotRun)?;
            match executor.incomplete.is_empty() {
                true => Ok(Outcome::new(ended, &frame, &interface, version)),
                false => Err(NotRun),
            }
        });
        let Ok(outcomes) = outcomes else { return Shown::Nothing };
        let shapes = &self.shapes.new;
        let mut differ = |incomparable| {
            let differ =
                difference(&mut terms, shapes, &interface, &start, &outcomes, incomparable);
            terms.as_bool(differ)
        };
        match (differ(Incomparable::Equal), differ(Incomparable::Different)) {
            (Some(true), _) => Shown::Different,
            (_, Some(false)) => Shown::Same,
            _ => Shown::Nothing,
        }
    }
}

/// Code could not be run to its end.
struct NotRun;

/// How often each function that stands for calls is applied.
fn numbers(terms: &Terms, applications: &[Record]) -> BTreeMap<Symbol, usize> {
    let mut numbers = BTreeMap::new();
    for application in applications {
        if let Some(Node::Apply(symbol, _)) = application.outputs.first().map(|it| terms.node(*it))
        {
            *numbers.entry(*symbol).or_default() += 1;
        }
    }
    numbers
}

/// What the solver says of a run.
pub enum Said {
    /// No inputs lead to a difference, and every path was followed.
    Equal,
    /// These inputs may lead to a difference.
    Maybe(Assignment),
    /// No difference on the paths that were followed; these were not.
    Incomplete(IncompletePath),
    Unknown(Reason),
}

impl Run {
    /// Whether it takes no solver to see that both sides do the same.
    pub fn is_plainly_equal(&self) -> bool {
        let never = |condition: Term| self.terms.as_bool(condition) == Some(false);
        never(self.difference) && self.incomplete.iter().flatten().all(|path| never(path.condition))
    }

    /// Whether something may run for ever on one side only, where the solver saw no difference: a
    /// loop or a recursion that was not run, or a call that the other side does not make. Does not
    /// tell calls that both sides make in another order.
    pub fn may_run_on(&self) -> bool {
        self.calls_differ || self.records.iter().any(|it| !it.is_empty())
    }

    /// Whether loops that were not run have a part in the difference.
    pub fn rests_on_records(&self) -> bool {
        let variables = self.terms.variables(&[self.difference]);
        let given = self.records.iter().flatten().flat_map(|it| &it.outputs);
        given.into_iter().any(|it| match self.terms.node(*it) {
            Node::Var(var) => variables.contains(var),
            _ => false,
        })
    }

    pub fn ask(&mut self, solver: &Solver, deadline: Deadline) -> Said {
        if let Some(said) = self.ask_for_difference(solver, deadline) {
            return said;
        }
        for path in self.incomplete.iter().flatten() {
            if self.terms.as_bool(path.condition) == Some(false) {
                continue;
            }
            let mut asserted = self.facts.clone();
            asserted.push(path.condition);
            match solver.check(&self.terms, &asserted, deadline.left()) {
                Answer::Unsat => {}
                _ => {
                    debug!(reason = %path.reason, "a path was not followed");
                    return Said::Incomplete(path.clone());
                }
            }
        }
        Said::Equal
    }

    /// Whether there is no difference on the paths that were followed.
    pub fn is_difference_refuted(&mut self, solver: &Solver, deadline: Deadline) -> bool {
        self.ask_for_difference(solver, deadline).is_none()
    }

    /// None if there is no difference on the paths that were followed.
    pub fn ask_for_difference(&mut self, solver: &Solver, deadline: Deadline) -> Option<Said> {
        if self.terms.as_bool(self.difference) == Some(false) {
            return None;
        }
        let limit = deadline.left();
        let mut asserted = self.facts.clone();
        asserted.push(self.difference);
        // Most proofs do not rest on what products and quotients are.
        let open = abstract_arithmetic(&mut self.terms, &asserted);
        let is_refuted =
            open != asserted && solver.check(&self.terms, &open, limit / 8) == Answer::Unsat;
        let mut answer = match is_refuted {
            true => Answer::Unsat,
            false => solver.check(&self.terms, &asserted, limit / 2),
        };
        if let Answer::Unknown(_) = answer {
            let until = Deadline::after(limit / 4);
            answer = match refutes(&mut self.terms, &self.facts, self.difference, solver, until) {
                true => Answer::Unsat,
                false => solver.check(&self.terms, &asserted, deadline.left()),
            };
        }
        match answer {
            Answer::Unsat if self.facts_exclude_everything(solver, limit) => {
                Some(Said::Unknown(NoProof::ContradictoryFacts.into()))
            }
            Answer::Unsat => None,
            Answer::Sat(assignment) => Some(Said::Maybe(assignment)),
            Answer::Unknown(why) => Some(Said::Unknown(why.into())),
        }
    }

    /// Whether the facts cannot all hold: then nothing was refuted by them. That never is so unless
    /// some fact is wrong.
    fn facts_exclude_everything(&self, solver: &Solver, limit: Duration) -> bool {
        !self.facts.is_empty()
            && matches!(solver.check(&self.terms, &self.facts, limit), Answer::Unsat)
    }

    /// The inputs that an assignment says.
    pub fn inputs(&self, assignment: &Assignment) -> Inputs {
        let value = |leaf: &Term| match self.terms.node(*leaf) {
            Node::Var(var) => assignment.get(var).copied().unwrap_or(0),
            _ => 0,
        };
        self.start.leaves.iter().map(value).collect()
    }
}
