//! Runs code on symbolic values: all paths at once, joined where they meet.

use std::collections::HashMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::callees::Possible;
use super::code::{Acyclic, Code, Ready};
use super::maker::ConstantObjects;
use super::memory::State;
use super::shape::Shapes;
use super::std::{CutCall, cut_point};
use super::text::item_name;
use super::trace::Trace;
use super::value::{Object, PointerTarget, Value};
use crate::cfa::{
    Body, Call, Callee, Condition, Edge, FnId, Intrinsic, LocalId, LoopId, MemoryId, Op, Operand,
    Place, Projection, Span, StaticId, TyId,
};
use crate::deadline::Deadline;
use crate::reason::{
    GenericCode, LimitReached, NoCode, Reason, Reinterpretation, UnexpectedForm,
    UnsupportedOperation,
};
use crate::solver::{Term, Terms};

/// Something that is called: a function, or a loop of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Called {
    Function(FnId),
    Loop(FnId, LoopId),
}

/// How a call is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Its code is run.
    Enter,
    /// Its results are whatever a function of its arguments gives that has this number: the same
    /// one wherever the number is given. Entered where its arguments cannot be said so.
    Uninterpreted(u32),
    /// Its results can be anything. The call is recorded, for someone to say more of it.
    Opaque,
    /// The path ends here, at a limit.
    Stop(LimitReached),
}

/// Decides how calls are dealt with. `depth` is how many calls of the same thing are under way.
pub trait Policy {
    fn treat(&mut self, called: Called, depth: u32) -> Treatment;

    /// The function that stands for one result of an uninterpreted call.
    fn symbol(
        &mut self,
        terms: &mut Terms,
        number: u32,
        output: usize,
        sort: crate::solver::Sort,
    ) -> crate::solver::Symbol;

    /// Whether the call can change or see what is outside of the program.
    fn has_effects(&self, called: Called) -> bool;

    /// Whether a call without effects can end the process.
    fn can_abort(&self, called: Called) -> bool;

    /// Whether the path can be taken at all. To say yes is always right.
    fn is_feasible(&mut self, terms: &mut Terms, path: &[Term]) -> bool;

    /// Stands for what an operation may choose as it likes, as a function of what it is given. A new
    /// one is always right; the same one for both sides says that they choose alike.
    fn choice(&mut self, terms: &mut Terms, _operation: &Intrinsic) -> crate::solver::Symbol {
        terms.symbol(crate::solver::Sort::Bool)
    }

    /// Whether [`Executor::exercises`] is to say when this call is made.
    fn is_noted(&self, _called: Called, _entered: bool) -> bool {
        false
    }
}

/// How a run ends, with the states in which it does.
#[derive(Debug, Default)]
pub struct Endings {
    pub returned: Option<State>,
    pub panicked: Option<State>,
    pub aborted: Option<State>,
    /// It goes on for ever: in a loop without a way out, or in a call that cannot return.
    pub diverged: Option<State>,
}

/// A place where a path could not be followed on.
#[derive(Clone, Debug)]
pub struct IncompletePath {
    pub condition: Term,
    pub reason: Reason,
    pub function: FnId,
    pub span: Span,
    /// Whether a higher bound would have led on.
    pub bounded: bool,
}

impl IncompletePath {
    /// Whether more may be known of it if calls are entered that what is looked at comes from.
    pub fn may_vanish_inside_of_calls(&self) -> bool {
        self.bounded || self.reason == Reason::NanBits
    }
}

/// A call that was recorded: what it was given, and the variables for what it gave.
#[derive(Clone, Debug)]
pub struct Record {
    pub called: Called,
    pub condition: Term,
    pub inputs: Vec<Term>,
    /// Whether it panicked, the effect state if it has effects, the results, what it wrote, whether it
    /// ended the process if it can.
    pub outputs: Vec<Term>,
}

/// A function under way.
pub struct Frame {
    pub function: FnId,
    pub ready: Arc<Ready>,
    /// The object of local 0; the others follow.
    pub base: u32,
}

impl Frame {
    pub fn object(&self, local: LocalId) -> Object {
        Object(self.base + local.0)
    }
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct ExecutionLimits {
    /// How many edges are run.
    pub steps: u64,
    /// How many calls may be under way.
    pub depth: u32,
    /// How many terms there may be: what bounds the memory.
    pub terms: usize,
    pub deadline: Option<Deadline>,
}

pub struct Executor<'a, 'p> {
    pub terms: &'a mut Terms,
    pub code: &'a Code<'p>,
    pub shapes: &'a Shapes<'p>,
    pub policy: &'a mut dyn Policy,
    pub limits: ExecutionLimits,
    pub incomplete: Vec<IncompletePath>,
    pub records: Vec<Record>,
    /// The uninterpreted calls.
    pub applications: Vec<Record>,
    /// The conditions under which calls are made that the policy wants to be noted.
    pub exercises: Vec<Term>,
    /// Facts that hold of the variables that were made on the way.
    pub facts: Vec<Term>,
    /// Where calls and branches are recorded, if they are.
    pub trace: Option<Trace>,
    next_object: u32,
    constants: HashMap<(MemoryId, TyId, u64), Object>,
    statics: HashMap<StaticId, Object>,
    /// Constants that the states do not have yet.
    made: HashMap<Object, Value>,
    /// Values of which nothing was written yet.
    blanks: HashMap<TyId, Value>,
    under_way: Vec<Called>,
    steps: u64,
    /// Where it is, for messages.
    pub(super) at: (FnId, Span),
}

/// A path that ends without an outcome.
pub(super) enum Stop {
    IncompletePath(Reason),
    Bounded(LimitReached),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::IncompletePath(reason)
    }
}

impl<'a, 'p> Executor<'a, 'p> {
    /// Objects before `first_object` are those of the state that runs begin in.
    pub fn new(
        terms: &'a mut Terms,
        code: &'a Code<'p>,
        shapes: &'a Shapes<'p>,
        policy: &'a mut dyn Policy,
        limits: ExecutionLimits,
        first_object: u32,
    ) -> Executor<'a, 'p> {
        Executor {
            terms,
            code,
            shapes,
            policy,
            limits,
            incomplete: Vec::new(),
            records: Vec::new(),
            applications: Vec::new(),
            exercises: Vec::new(),
            facts: Vec::new(),
            trace: None,
            next_object: first_object,
            constants: HashMap::new(),
            statics: HashMap::new(),
            made: HashMap::new(),
            blanks: HashMap::new(),
            under_way: Vec::new(),
            steps: 0,
            at: (FnId(0), Span::UNKNOWN),
        }
    }

    /// Runs a function; what it returned is then in the object of local 0 of its frame.
    pub fn run_function(&mut self, id: FnId, args: Vec<Value>, state: State) -> (Endings, Frame) {
        let ready = match self.code.ready(id) {
            Ok(ready) => ready,
            Err(reason) => {
                self.at = (id, self.code.program.function(id).span);
                self.path(&state, Stop::IncompletePath(reason));
                let ready = Arc::new(Ready::empty());
                return (Endings::default(), Frame { function: id, ready, base: self.next_object });
            }
        };
        let frame = Frame { function: id, base: self.next_object, ready };
        self.next_object += frame.ready.locals.len() as u32;
        self.trace_call(id, &args, &state);
        let mut state = state;
        self.provide(&frame, &frame.ready.body.live_at_start, &mut state);
        for (index, arg) in args.into_iter().enumerate() {
            state.objects.insert(Object(frame.base + 1 + index as u32), arg);
        }
        self.under_way.push(Called::Function(id));
        let ready = frame.ready.clone();
        let ended = self.run_body(&ready.body, &frame, state);
        self.under_way.pop();
        self.trace_end(&frame, &ended);
        (ended, frame)
    }

    /// One iteration of a loop, in a frame whose locals are in the state.
    pub fn run_iteration(&mut self, frame: &Frame, id: LoopId, state: State) -> Endings {
        self.under_way.push(Called::Loop(frame.function, id));
        let ready = frame.ready.clone();
        let ended = self.run_body(&ready.a_loop(id).body, frame, state);
        self.under_way.pop();
        ended
    }

    /// A frame for one iteration of a loop by itself, in which nothing was written yet.
    pub fn new_frame(&mut self, id: FnId, of: LoopId, state: &mut State) -> Result<Frame, Reason> {
        let ready = self.code.ready(id)?;
        let frame = Frame { function: id, base: self.next_object, ready };
        self.next_object += frame.ready.locals.len() as u32;
        self.provide(&frame, &frame.ready.a_loop(of).body.live_at_start, state);
        Ok(frame)
    }

    /// Gives a state the locals that it does not have.
    fn provide(&mut self, frame: &Frame, locals: &[LocalId], state: &mut State) {
        for &local in locals {
            if let Entry::Vacant(place) = state.objects.entry(frame.object(local)) {
                place.insert(self.blank(frame.ready.locals[local.index()].ty));
            }
        }
    }

    pub(super) fn blank(&mut self, ty: TyId) -> Value {
        if let Some(known) = self.blanks.get(&ty) {
            return known.clone();
        }
        let blank = self.shapes.blank(self.terms, ty);
        self.blanks.insert(ty, blank.clone());
        blank
    }

    pub fn leave(frame: &Frame, state: &mut State) {
        let end = frame.base + frame.ready.locals.len() as u32;
        state.objects.extract_if(Object(frame.base)..Object(end), |_, _| true).for_each(drop);
    }

    fn run_body(&mut self, body: &Acyclic, frame: &Frame, state: State) -> Endings {
        let mut pending: HashMap<crate::cfa::Location, Vec<State>> = HashMap::new();
        let (mut returned, mut panicked) = (Vec::new(), Vec::new());
        let (mut aborted, mut diverged) = (Vec::new(), Vec::new());
        pending.insert(body.order[0], vec![state]);
        for &location in &body.order {
            let Some(states) = pending.remove(&location) else { continue };
            if location == body.exit {
                returned.extend(states);
                continue;
            }
            let states = states.into_iter().map(|mut state| {
                for &local in body.dead(location) {
                    state.objects.remove(&frame.object(local));
                }
                state
            });
            let states = states.collect();
            let Some(state) = State::join_all(self.terms, states) else { continue };
            let edges = body.edges(location);
            let copies = std::iter::repeat_n(state, edges.len());
            for ((edge, mentioned), mut next) in edges.zip(copies) {
                self.at = (frame.function, edge.span);
                if let Some(limit) = self.limit_reached() {
                    self.path(&next, Stop::Bounded(limit));
                    continue;
                }
                self.steps += 1;
                self.provide(frame, mentioned, &mut next);
                match self.step(frame, edge, &mut next) {
                    Ok(EdgeResult::On) => pending.entry(edge.to).or_default().push(next),
                    Ok(EdgeResult::Nowhere) => {}
                    Ok(EdgeResult::Panicked) => match edge.op.unwind() {
                        Some(unwind) => pending.entry(unwind).or_default().push(next),
                        None => panicked.push(next),
                    },
                    Ok(EdgeResult::Aborted) => aborted.push(next),
                    Ok(EdgeResult::Called(ended)) => {
                        if let Some(state) = ended.returned {
                            pending.entry(edge.to).or_default().push(state);
                        }
                        if let Some(state) = ended.panicked {
                            match edge.op.unwind() {
                                Some(unwind) => pending.entry(unwind).or_default().push(state),
                                None => panicked.push(state),
                            }
                        }
                        aborted.extend(ended.aborted);
                        diverged.extend(ended.diverged);
                    }
                    Err(stop) => {
                        self.at = (frame.function, edge.span);
                        self.path(&next, stop);
                    }
                }
            }
        }
        Endings {
            returned: State::join_all(self.terms, returned),
            panicked: State::join_all(self.terms, panicked),
            aborted: State::join_all(self.terms, aborted),
            diverged: State::join_all(self.terms, diverged),
        }
    }

    fn limit_reached(&self) -> Option<LimitReached> {
        if self.steps >= self.limits.steps {
            return Some(LimitReached::RunSteps);
        }
        if self.terms.len() >= self.limits.terms {
            return Some(LimitReached::RunTerms);
        }
        let deadline = self.limits.deadline.filter(|_| self.steps % 64 == 0)?;
        (deadline.is_over()).then_some(LimitReached::RunTime)
    }

    fn path(&mut self, state: &State, stop: Stop) {
        let condition = state.condition(self.terms);
        let (reason, bounded) = match stop {
            Stop::IncompletePath(reason) => (reason, false),
            Stop::Bounded(limit) => (limit.into(), true),
        };
        let (function, span) = self.at;
        self.incomplete.push(IncompletePath { condition, reason, function, span, bounded });
    }

    fn step(&mut self, frame: &Frame, edge: &Edge, state: &mut State) -> Result<EdgeResult, Stop> {
        match &edge.op {
            Op::Nop => {}
            Op::Assign(place, rvalue) => {
                let ty = self.place_type(frame, place);
                let value = self.rvalue(frame, state, rvalue, ty)?;
                self.trace_write(&value);
                let to = self.resolve(frame, state, place)?;
                if place.projections.contains(&Projection::Deref) {
                    let before = state.read_choices(self.terms, &to)?;
                    self.check_form(frame, place, &before)?;
                }
                state.write_choices(self.terms, &to, &value)?;
            }
            Op::SetDiscriminant(place, variant) => {
                let to = self.resolve(frame, state, place)?;
                let value = state.read_choices(self.terms, &to)?;
                if let Value::Variant { tag, variants } = value {
                    let crate::solver::Sort::Bits(width) = self.terms.sort(tag) else {
                        return Err(Stop::IncompletePath(UnexpectedForm::UnnumberedVariant.into()));
                    };
                    let tag = self.terms.bits((*variant).into(), width);
                    let value = Value::Variant { tag, variants };
                    state.write_choices(self.terms, &to, &value)?;
                } else {
                    return Err(Stop::IncompletePath(UnexpectedForm::NoVariants.into()));
                }
            }
            Op::Assume(condition) => {
                let holds = self.condition(frame, state, condition)?;
                if !state.assume(self.terms, holds) {
                    return Ok(EdgeResult::Nowhere);
                }
                self.trace_branch(condition, holds);
            }
            Op::Call(call) => {
                return self
                    .call(frame, state, call, edge.span)
                    .map(|it| EdgeResult::Called(Box::new(it)));
            }
            Op::CopyMemory { from, to, count } => {
                let pointee = self.pointee(self.operand_type(frame, from));
                let mut args = Vec::new();
                for operand in [from, to, count] {
                    args.push(self.operand(frame, state, operand)?);
                }
                self.copy(&args, pointee, state)?;
            }
            Op::Panic { .. } | Op::Resume => return Ok(EdgeResult::Panicked),
            Op::Abort => return Ok(EdgeResult::Aborted),
            Op::Unreachable => return Ok(EdgeResult::Nowhere),
            Op::Unsupported { reason, .. } => return Err(Stop::IncompletePath(reason.clone())),
        }
        Ok(EdgeResult::On)
    }

    fn condition(
        &mut self,
        frame: &Frame,
        state: &mut State,
        condition: &Condition,
    ) -> Result<Term, Reason> {
        let mut equals = |this: &mut Self, operand: &Operand, number: u128| {
            let value = this.operand(frame, state, operand)?.scalar()?;
            Ok::<Term, Reason>(match this.terms.sort(value) {
                crate::solver::Sort::Bits(width) => {
                    let number = this.terms.bits(number, width);
                    this.terms.eq(value, number)
                }
                _ if number == 0 => this.terms.not(value),
                _ => value,
            })
        };
        match condition {
            Condition::Equals(operand, number) => equals(self, operand, *number),
            Condition::NoneOf(operand, numbers) => {
                let mut none = Vec::new();
                for &number in numbers {
                    let equal = equals(self, operand, number)?;
                    none.push(self.terms.not(equal));
                }
                Ok(self.terms.and(none))
            }
        }
    }

    fn call(
        &mut self,
        frame: &Frame,
        state: &mut State,
        call: &Call,
        span: Span,
    ) -> Result<Endings, Stop> {
        if let Callee::Loop { id, .. } = &call.callee {
            return self.call_loop(frame, state, *id);
        }
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(self.operand(frame, state, arg)?);
        }
        // Where the result goes is settled before the call.
        let result = self.resolve(frame, state, &call.result)?;
        let result_ty = self.place_type(frame, &call.result);
        let called = self.callees(frame, state, &call.callee, &args)?;
        let mut all: [Vec<State>; 4] = Default::default();
        let copies = std::iter::repeat_n(state.take(), called.len());
        for (Possible { guard, id, args }, mut state) in called.into_iter().zip(copies) {
            if !state.assume(self.terms, guard) {
                continue;
            }
            let (mut ended, value) = self.call_function(id, args, &mut state, result_ty)?;
            self.at = (frame.function, span);
            if let Some(state) = &mut ended.returned {
                let value = value.unwrap_or(Value::Uninit);
                state.write_choices(self.terms, &result, &value)?;
            }
            let Endings { returned, panicked, aborted, diverged } = ended;
            for (all, one) in all.iter_mut().zip([returned, panicked, aborted, diverged]) {
                all.extend(one);
            }
        }
        let [returned, panicked, aborted, diverged] =
            all.map(|states| State::join_all(self.terms, states));
        Ok(Endings { returned, panicked, aborted, diverged })
    }

    /// Runs a call in a state that it takes the content of.
    fn call_function(
        &mut self,
        id: FnId,
        mut args: Vec<Value>,
        state: &mut State,
        result_ty: Option<TyId>,
    ) -> Result<(Endings, Option<Value>), Stop> {
        let function = self.code.program.function(id);
        if function.tupled_args {
            match args.pop() {
                Some(Value::Fields(rest)) => args.extend(rest.iter().cloned()),
                _ => {
                    return Err(Stop::IncompletePath(
                        UnsupportedOperation::UntupledArguments.into(),
                    ));
                }
            }
        }
        if let Some(cut_point) = cut_point(function) {
            return (cut_point.run)(self, CutCall { function, state });
        }
        match &function.body {
            Body::Cfa(_) => {}
            Body::Intrinsic(intrinsic) => {
                let of = function.type_args.first().copied();
                return self.intrinsic(intrinsic, of, &args, state, result_ty);
            }
            Body::VirtualCall => {
                return Err(Stop::IncompletePath(Reason::Intrinsic(item_name(function).into())));
            }
            Body::Panic | Body::PanicWithMessage | Body::AllocError => {
                unreachable!("they are cut points")
            }
            Body::Foreign { symbol } => {
                return Err(Stop::IncompletePath(NoCode::Foreign(symbol.as_str().into()).into()));
            }
            Body::Supplied { .. } => {
                return Err(Stop::IncompletePath(GenericCode::SuppliedMethod.into()));
            }
            Body::Missing(reason) | Body::Elsewhere(reason) => {
                return Err(Stop::IncompletePath(reason.clone()));
            }
        }
        let params = &function.locals[1..=function.params as usize];
        let fits = |(arg, local): (&Value, &crate::cfa::Local)| {
            self.shapes.conforms(self.terms, local.ty, arg)
        };
        if args.len() != params.len() || !args.iter().zip(params).all(fits) {
            return Err(Stop::IncompletePath(UnsupportedOperation::OtherArguments.into()));
        }
        let called = Called::Function(id);
        let depth = self.under_way.iter().filter(|it| **it == called).count() as u32;
        let treatment = self.policy.treat(called, depth);
        self.note(called, &treatment, state);
        match treatment {
            Treatment::Enter => {}
            Treatment::Stop(limit) => return Err(Stop::Bounded(limit)),
            Treatment::Uninterpreted(number) => {
                let types: Vec<TyId> =
                    function.locals[1..=args.len()].iter().map(|local| local.ty).collect();
                let given: Vec<_> = types.into_iter().zip(args.iter().cloned()).collect();
                let results = [function.locals[0].ty];
                let applied = self.apply(called, Some(number), &given, &results, state);
                if let Ok((ended, mut values)) = applied {
                    return Ok((ended, values.pop()));
                }
            }
            Treatment::Opaque => {
                let types: Vec<TyId> =
                    function.locals[1..=args.len()].iter().map(|local| local.ty).collect();
                let given: Vec<_> = types.into_iter().zip(args.iter().cloned()).collect();
                let results = [function.locals[0].ty];
                let (ended, mut values) = self.apply(called, None, &given, &results, state)?;
                return Ok((ended, values.pop()));
            }
        }
        if self.under_way.len() as u32 >= self.limits.depth {
            return Err(Stop::Bounded(LimitReached::CallDepth));
        }
        if depth > 0 && !self.policy.is_feasible(self.terms, &state.path) {
            return Ok((Endings::default(), None));
        }
        // What no argument leads to stays as it is, and need not be joined where paths meet inside.
        let mut inner = state.take();
        let aside = inner.set_aside(&args);
        let (mut ended, callee) = self.run_function(id, args, inner);
        let mut value = None;
        if let Some(state) = &mut ended.returned {
            value = state.objects.get(&callee.object(LocalId(0))).cloned();
        }
        let Endings { returned, panicked, aborted, diverged } = &mut ended;
        let all = [returned, panicked, aborted, diverged];
        let count = all.iter().filter(|it| it.is_some()).count();
        let copies = std::iter::repeat_n(aside, count);
        for (state, mut objects) in all.into_iter().flatten().zip(copies) {
            Executor::leave(&callee, state);
            objects.extend(std::mem::take(&mut state.objects));
            state.objects = objects;
        }
        Ok((ended, value))
    }

    fn note(&mut self, called: Called, treatment: &Treatment, state: &State) {
        if self.policy.is_noted(called, matches!(treatment, Treatment::Enter)) {
            let condition = state.condition(self.terms);
            self.exercises.push(condition);
        }
    }

    fn call_loop(&mut self, frame: &Frame, state: &mut State, id: LoopId) -> Result<Endings, Stop> {
        let called = Called::Loop(frame.function, id);
        let depth = self.under_way.iter().filter(|it| **it == called).count() as u32;
        let treatment = self.policy.treat(called, depth);
        self.note(called, &treatment, state);
        let number = match treatment {
            Treatment::Enter => {
                if self.under_way.len() as u32 >= self.limits.depth {
                    return Err(Stop::Bounded(LimitReached::CallDepth));
                }
                if depth > 0 && !self.policy.is_feasible(self.terms, &state.path) {
                    return Ok(Endings::default());
                }
                return Ok(self.run_iteration(frame, id, state.take()));
            }
            Treatment::Stop(limit) => return Err(Stop::Bounded(limit)),
            Treatment::Uninterpreted(number) => Some(number),
            Treatment::Opaque => None,
        };
        let ready = frame.ready.clone();
        let found = ready.a_loop(id);
        let given: Vec<(TyId, Value)> = found
            .params
            .iter()
            .map(|&local| {
                let ty = ready.locals[local.index()].ty;
                Ok((ty, state.object(frame.object(local))?.clone()))
            })
            .collect::<Result<_, Reason>>()?;
        let locals: Vec<LocalId> =
            found.results.iter().copied().chain([ready.exit_taken]).collect();
        let results: Vec<TyId> = locals.iter().map(|it| ready.locals[it.index()].ty).collect();
        let (mut ended, values) = match self.apply(called, number, &given, &results, state) {
            Ok(applied) => applied,
            Err(_) if number.is_some() => {
                if depth > 0 && !self.policy.is_feasible(self.terms, &state.path) {
                    return Ok(Endings::default());
                }
                return Ok(self.run_iteration(frame, id, state.take()));
            }
            Err(reason) => return Err(reason.into()),
        };
        if found.exits == 0 {
            ended.diverged = ended.returned.take();
        }
        if let Some(state) = &mut ended.returned {
            for (local, value) in locals.iter().zip(values) {
                if *local == ready.exit_taken
                    && let Value::Scalar(taken) = value
                {
                    let exits = self.terms.bits(found.exits.into(), 32);
                    let is_exit = self.terms.compare(crate::solver::CompareOp::Ult, taken, exits);
                    let here = state.condition(self.terms);
                    self.facts.push(self.terms.implies(here, is_exit));
                }
                state.objects.insert(frame.object(*local), value);
            }
        }
        Ok(ended)
    }

    /// A call as a function of its arguments, of what they point to and, where it has effects, of
    /// what is outside; without a number, as anything at all.
    ///
    /// Over-approximates what the callee does: any function of what it is given. Two calls with one
    /// number give the same if they are given the same. A call with effects that ends the process
    /// goes on here, in an effect state that only the same call leads to.
    fn apply(
        &mut self,
        called: Called,
        number: Option<u32>,
        given: &[(TyId, Value)],
        results: &[TyId],
        state: &State,
    ) -> Result<(Endings, Vec<Value>), Reason> {
        let mut inputs = Vec::new();
        let mut changed = Vec::new();
        for (ty, value) in given {
            self.shapes.flatten(self.terms, state, *ty, value, &mut inputs)?;
            self.shapes.mutable_targets(*ty, value, &mut changed)?;
        }
        let effects = self.policy.has_effects(called);
        if effects {
            inputs.push(state.effect_state);
        }
        let can_abort = !effects && self.policy.can_abort(called);
        let mut outputs = Vec::new();
        let policy = &mut *self.policy;
        let mut output = |terms: &mut Terms, sort| {
            let term = match number {
                Some(number) => {
                    let symbol = policy.symbol(terms, number, outputs.len(), sort);
                    terms.apply(symbol, inputs.iter().copied())
                }
                None => terms.var(sort),
            };
            outputs.push(term);
            term
        };
        let did_panic = output(self.terms, crate::solver::Sort::Bool);
        let effect_state = match effects {
            true => output(self.terms, crate::solver::Sort::EffectState),
            false => state.effect_state,
        };
        let mut making = super::leaves::Making {
            leaves: &mut output,
            facts: Vec::new(),
            objects: None,
            next_object: 0,
            floats: super::leaves::NanBits::All,
        };
        let mut values = Vec::new();
        let never_returns = results.iter().any(|ty| self.shapes.is_empty_type(*ty));
        for &ty in results.iter().filter(|_| !never_returns) {
            values.push(self.shapes.any(self.terms, ty, &mut making)?);
        }
        let mut written = Vec::new();
        for (ty, pointer) in &changed {
            written.push((pointer, self.shapes.any(self.terms, *ty, &mut making)?));
        }
        let facts = making.facts;
        let did_abort = can_abort.then(|| output(self.terms, crate::solver::Sort::Bool));
        let mut after = state.clone();
        after.effect_state = effect_state;
        for (pointer, value) in written {
            let Value::Pointer(choices) = pointer else { unreachable!("only pointers are found") };
            after.write_choices(self.terms, choices, &value)?;
        }
        self.facts.extend(facts);
        let condition = state.condition(self.terms);
        let record = Record { called, condition, inputs, outputs };
        match number {
            None => self.records.push(record),
            Some(_) => self.applications.push(record),
        }
        let mut ended = Endings::default();
        if let Some(did_abort) = did_abort {
            let mut aborted = after.clone();
            if aborted.assume(self.terms, did_abort) {
                ended.aborted = Some(aborted);
            }
            let did_not = self.terms.not(did_abort);
            if !after.assume(self.terms, did_not) {
                return Ok((ended, values));
            }
        }
        let mut panicked = after.clone();
        if panicked.assume(self.terms, did_panic) {
            ended.panicked = Some(panicked);
        }
        let did_return = self.terms.not(did_panic);
        if after.assume(self.terms, did_return) {
            match never_returns {
                true => ended.diverged = Some(after),
                false => ended.returned = Some(after),
            }
        }
        Ok((ended, values))
    }

    pub(super) fn operand(
        &mut self,
        frame: &Frame,
        state: &mut State,
        operand: &Operand,
    ) -> Result<Value, Reason> {
        match operand {
            Operand::Read(place) => {
                let from = self.resolve(frame, state, place)?;
                match state.read_choices(self.terms, &from)? {
                    Value::Unknown(reason) => Err(Reason::clone(&reason)),
                    value => {
                        self.check_form(frame, place, &value)?;
                        Ok(value)
                    }
                }
            }
            Operand::Const(constant) => {
                let shapes = self.shapes;
                let mut maker = ConstantObjects {
                    shapes,
                    next_object: &mut self.next_object,
                    constants: &mut self.constants,
                    statics: &mut self.statics,
                    made: &mut self.made,
                };
                let value = shapes.constant(self.terms, &mut maker, constant)?;
                self.bring(&value, state);
                Ok(value)
            }
        }
    }

    /// Refuses memory that is seen as another type than it was written as. Only pointers can do so.
    fn check_form(&self, frame: &Frame, place: &Place, value: &Value) -> Result<(), Reason> {
        if !place.projections.contains(&Projection::Deref) {
            return Ok(());
        }
        match self.place_type(frame, place) {
            Some(ty) if self.shapes.conforms(self.terms, ty, value) => Ok(()),
            _ => Err(Reinterpretation::Memory.into()),
        }
    }

    /// Gives a state the constants that a value points to.
    fn bring(&self, value: &Value, state: &mut State) {
        match value {
            Value::Pointer(choices) => {
                for choice in choices.iter() {
                    if let PointerTarget::Part { object, .. } = &choice.target
                        && !state.objects.contains_key(object)
                        && let Some(content) = self.made.get(object)
                    {
                        state.objects.insert(*object, content.clone());
                        self.bring(content, state);
                    }
                }
            }
            Value::Fields(fields) => fields.iter().for_each(|it| self.bring(it, state)),
            Value::Variant { variants, .. } => {
                variants.iter().flat_map(|it| it.iter()).for_each(|it| self.bring(it, state));
            }
            Value::Union { value, .. } => self.bring(value, state),
            _ => {}
        }
    }
}

/// What an edge leads to.
enum EdgeResult {
    On,
    Nowhere,
    Panicked,
    Aborted,
    Called(Box<Endings>),
}
