//! Runs of functions by the symbolic executor: on constants, and on variables whose values are put
//! in afterwards.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use cargo_cse::cfa::{FnId, LocalId, Program, TyId};
use cargo_cse::deadline::Deadline;
use cargo_cse::reason::{LimitReached, Reason};
use cargo_cse::solver::{Assignment, Node, Sort, Symbol, Term, Terms, Var};
use cargo_cse::sym::{
    Called, Code, ExecutionLimits, Executor, IncompletePath, Making, NanBits, Object, Policy,
    Shapes, State, Treatment, Value,
};

use super::native::Outcome;

/// A program whose functions can be run.
pub struct Machine<'p> {
    code: Code<'p>,
    shapes: Shapes<'p>,
}

/// All that a function does, over variables for its inputs.
pub struct Encoded {
    pub terms: Terms,
    pub inputs: Vec<Term>,
    pub returned: Ending,
    pub panicked: Ending,
    pub incomplete: Vec<IncompletePath>,
}

/// The condition under which a run ends so, and what it gives then.
pub struct Ending {
    pub condition: Term,
    pub leaves: Vec<Term>,
}

/// Why there is no outcome, or what is wrong with it.
#[derive(Debug)]
pub enum Failure {
    /// The path could not be followed.
    Halted(String),
    /// No behaviour at all, or two at once.
    Wrong(String),
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Failure {
        Failure::Halted(reason.to_string())
    }
}

/// How many iterations of a loop, or calls of a function within itself, are followed on variables.
const ITERATIONS: u32 = 14;
const CONSTANTS: ExecutionLimits =
    ExecutionLimits { steps: 200_000, depth: 2_000, terms: 1_000_000, deadline: None };
const VARIABLES: ExecutionLimits =
    ExecutionLimits { steps: 20_000, depth: 200, terms: 150_000, deadline: None };
const PATIENCE: Duration = Duration::from_secs(5);

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine { code: Code::new(program, Default::default()), shapes: Shapes::new(program) }
    }

    /// What a function does on these inputs.
    pub fn run_on(&self, id: FnId, inputs: &[u128]) -> Result<Outcome, Failure> {
        let mut given = inputs.iter();
        let encoded = self.run(id, CONSTANTS, u32::MAX, &mut |terms, sort| {
            let value = *given.next().expect("there is a value for each leaf");
            constant(terms, sort, value)
        });
        encoded?.outcome(&[])
    }

    /// What a function does on any inputs.
    pub fn encode(&self, id: FnId) -> Result<Encoded, Failure> {
        let deadline = Some(Deadline::after(PATIENCE));
        self.run(id, ExecutionLimits { deadline, ..VARIABLES }, ITERATIONS, &mut |terms, sort| {
            terms.var(sort)
        })
    }

    fn run(
        &self,
        id: FnId,
        limits: ExecutionLimits,
        iterations: u32,
        leaf: &mut dyn FnMut(&mut Terms, Sort) -> Term,
    ) -> Result<Encoded, Failure> {
        let ran = catch_unwind(AssertUnwindSafe(|| self.try_run(id, limits, iterations, leaf)));
        match ran {
            Ok(encoded) => encoded,
            Err(_) => Err(Failure::Wrong("the executor panicked".to_owned())),
        }
    }

    fn try_run(
        &self,
        id: FnId,
        limits: ExecutionLimits,
        iterations: u32,
        leaf: &mut dyn FnMut(&mut Terms, Sort) -> Term,
    ) -> Result<Encoded, Failure> {
        let function = self.code.program.function(id);
        let mut terms = Terms::new();
        let (mut objects, mut inputs) = (Vec::new(), Vec::new());
        let mut made = |terms: &mut Terms, sort: Sort| {
            let term = leaf(terms, sort);
            inputs.push(term);
            term
        };
        let mut making = Making {
            leaves: &mut made,
            facts: Vec::new(),
            objects: Some(&mut objects),
            next_object: 0,
            floats: NanBits::WithBits,
        };
        let mut arguments = Vec::new();
        for local in &function.locals[1..=function.params as usize] {
            arguments.push(self.shapes.any(&mut terms, local.ty, &mut making)?);
        }
        let first_object = making.next_object;
        let state = State {
            path: Default::default(),
            objects: objects.iter().map(|(object, value, _)| (*object, value.clone())).collect(),
            effect_state: terms.var(Sort::EffectState),
        };
        let mut policy = Enter { iterations };
        let mut executor =
            Executor::new(&mut terms, &self.code, &self.shapes, &mut policy, limits, first_object);
        let (ended, frame) = executor.run_function(id, arguments, state);
        let incomplete = std::mem::take(&mut executor.incomplete);
        if ended.aborted.is_some() {
            return Err(Failure::Halted("an abort".to_owned()));
        }
        let result = (frame.object(LocalId(0)), function.locals[0].ty);
        let returned = self.ending(&mut terms, ended.returned, Some(result), &objects)?;
        let panicked = self.ending(&mut terms, ended.panicked, None, &objects)?;
        Ok(Encoded { terms, inputs, returned, panicked, incomplete })
    }

    fn ending(
        &self,
        terms: &mut Terms,
        state: Option<State>,
        result: Option<(Object, TyId)>,
        given: &[(Object, Value, TyId)],
    ) -> Result<Ending, Reason> {
        let Some(state) = state else {
            return Ok(Ending { condition: terms.bool(false), leaves: Vec::new() });
        };
        let mut leaves = Vec::new();
        for (object, ty) in result.into_iter().chain(given.iter().map(|it| (it.0, it.2))) {
            let value = state.objects.get(&object).cloned().unwrap_or(Value::Uninit);
            self.shapes.flatten(terms, &state, ty, &value, &mut leaves)?;
        }
        Ok(Ending { condition: state.condition(terms), leaves })
    }
}

impl Encoded {
    /// What comes out if the inputs have these values.
    pub fn outcome(&self, inputs: &[u128]) -> Result<Outcome, Failure> {
        let assignment: Assignment = self.assignment(inputs);
        let mut asked = vec![self.returned.condition, self.panicked.condition];
        asked.extend(self.incomplete.iter().map(|path| path.condition));
        let conditions = self.terms.eval_all(&asked, &assignment);
        let holds: Vec<bool> = conditions
            .iter()
            .map(|it| it.map(|it| it == 1))
            .collect::<Option<_>>()
            .ok_or_else(|| Failure::Halted("a condition without a value".to_owned()))?;
        if let Some(number) = holds[2..].iter().position(|it| *it) {
            return Err(Failure::Halted(self.incomplete[number].reason.to_string()));
        }
        if holds[0] == holds[1] {
            let what = if holds[0] { "both a result and a panic" } else { "no behaviour at all" };
            return Err(Failure::Wrong(what.to_owned()));
        }
        let returned = holds[0];
        let ending = if returned { &self.returned } else { &self.panicked };
        let leaves = self.terms.eval_all(&ending.leaves, &assignment);
        match leaves.into_iter().collect() {
            Some(leaves) => Ok(Outcome { returned, leaves }),
            None => Err(Failure::Halted("a result without a value".to_owned())),
        }
    }

    fn assignment(&self, inputs: &[u128]) -> Assignment {
        let variable = |term: &Term| match self.terms.node(*term) {
            Node::Var(var) => Some(*var),
            _ => None,
        };
        let variables: Vec<Var> = self.inputs.iter().filter_map(variable).collect();
        variables.into_iter().zip(inputs.iter().copied()).collect()
    }

    /// That the inputs have these values, and the outcome is not this one. Leaves of which
    /// `compared` says no are left out.
    pub fn contradiction(
        &mut self,
        inputs: &[u128],
        outcome: &Outcome,
        compared: impl Fn(usize) -> bool,
    ) -> Vec<Term> {
        let terms = &mut self.terms;
        let mut asserted = Vec::new();
        for (&input, &value) in self.inputs.iter().zip(inputs) {
            let value = constant(terms, terms.sort(input), value);
            asserted.push(terms.eq(input, value));
        }
        let ending = if outcome.returned { &self.returned } else { &self.panicked };
        let mut as_expected = vec![ending.condition];
        for (number, (&leaf, &value)) in ending.leaves.iter().zip(&outcome.leaves).enumerate() {
            if compared(number) {
                let value = constant(terms, terms.sort(leaf), value);
                as_expected.push(terms.eq(leaf, value));
            }
        }
        let as_expected = terms.and(as_expected);
        asserted.push(terms.not(as_expected));
        asserted
    }
}

fn constant(terms: &mut Terms, sort: Sort, value: u128) -> Term {
    match sort {
        Sort::Bool => terms.bool(value & 1 == 1),
        Sort::Bits(width) => terms.bits(value, width),
        Sort::EffectState => terms.var(sort),
    }
}

/// Enters everything, up to a number of iterations.
struct Enter {
    iterations: u32,
}

impl Policy for Enter {
    fn treat(&mut self, _: Called, depth: u32) -> Treatment {
        match depth < self.iterations {
            true => Treatment::Enter,
            false => Treatment::Stop(LimitReached::Iterations),
        }
    }

    fn symbol(&mut self, terms: &mut Terms, _: u32, _: usize, sort: Sort) -> Symbol {
        terms.symbol(sort)
    }

    fn can_abort(&self, _: Called) -> bool {
        true
    }

    fn has_effects(&self, _: Called) -> bool {
        true
    }

    fn is_feasible(&mut self, _: &mut Terms, _: &[Term]) -> bool {
        true
    }
}
