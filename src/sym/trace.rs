//! What a run on known values did, call by call.

use super::execute::{Endings, Executor, Frame};
use super::memory::State;
use super::text::known_bits;
use super::value::Value;
use crate::cfa::{Condition, FnId, LocalId, Span, TyId};
use crate::solver::Term;

/// One call of a function, and what happened in it. Loops are part of the function that they are in.
#[derive(Clone, Debug)]
pub struct Activation {
    pub function: FnId,
    /// Where it was called.
    pub at: Span,
    /// Its arguments: see [`Shapes::text`](super::Shapes::text).
    pub given: Vec<String>,
    /// How it ended, and what it left behind references.
    pub gave: String,
    pub events: Vec<Event>,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub at: Span,
    pub did: Action,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// Took the branch of this number, or the one for all others.
    Branched(Option<u128>),
    /// Wrote this number somewhere.
    Wrote(u128),
    Called(Box<Activation>),
}

/// Records a run.
#[derive(Debug, Default)]
pub struct Trace {
    /// The calls under way, with their arguments.
    open: Vec<(Activation, Vec<Value>)>,
    whole: Option<Activation>,
    /// A branch depended on something that is not known: what was recorded is of several paths.
    forked: bool,
}

impl Trace {
    /// The run, if it is over and took one path.
    pub fn whole(self) -> Option<Activation> {
        self.whole.filter(|_| !self.forked)
    }

    fn add(&mut self, at: Span, did: Action) {
        if let Some((activation, _)) = self.open.last_mut() {
            activation.events.push(Event { at, did });
        }
    }
}

/// All of these do nothing unless there is a trace.
impl Executor<'_, '_> {
    pub(super) fn trace_branch(&mut self, condition: &Condition, holds: Term) {
        let Some(trace) = &mut self.trace else { return };
        trace.forked |= self.terms.as_bool(holds).is_none();
        let branch = match condition {
            Condition::Equals(_, number) => Some(*number),
            Condition::NoneOf(..) => None,
        };
        trace.add(self.at.1, Action::Branched(branch));
    }

    pub(super) fn trace_write(&mut self, value: &Value) {
        let Some(trace) = &mut self.trace else { return };
        if let Value::Scalar(term) = value
            && let Some(bits) = known_bits(self.terms, *term)
        {
            trace.add(self.at.1, Action::Wrote(bits));
        }
    }

    pub(super) fn trace_call(&mut self, function: FnId, args: &[Value], state: &State) {
        let Some(mut trace) = self.trace.take() else { return };
        let given = self.argument_texts(function, args, state);
        let activation =
            Activation { function, at: self.at.1, given, gave: String::new(), events: Vec::new() };
        trace.open.push((activation, args.to_vec()));
        self.trace = Some(trace);
    }

    pub(super) fn trace_end(&mut self, frame: &Frame, ended: &Endings) {
        let Some(mut trace) = self.trace.take() else { return };
        if let Some((mut activation, args)) = trace.open.pop() {
            activation.gave = self.outcome_text(frame, &activation.given, &args, ended);
            let at = activation.at;
            match trace.open.is_empty() {
                true => trace.whole = Some(activation),
                false => trace.add(at, Action::Called(Box::new(activation))),
            }
        }
        self.trace = Some(trace);
    }

    fn argument_texts(&mut self, function: FnId, args: &[Value], state: &State) -> Vec<String> {
        let (shapes, function) = (self.shapes, self.code.program.function(function));
        let types: Vec<TyId> = function.locals.iter().skip(1).map(|it| it.ty).collect();
        let values = types.into_iter().zip(args);
        values.map(|(ty, value)| shapes.text(self.terms, state, ty, value)).collect()
    }

    fn outcome_text(
        &mut self,
        frame: &Frame,
        given: &[String],
        args: &[Value],
        ended: &Endings,
    ) -> String {
        let (mut text, state) = match ended {
            Endings { returned: Some(state), .. } => {
                let ty = self.code.program.function(frame.function).locals[0].ty;
                let value = state.objects.get(&frame.object(LocalId(0)));
                let value = value.unwrap_or(&Value::Uninit);
                let text = self.shapes.text(self.terms, state, ty, value);
                (format!("returned {text}"), state)
            }
            Endings { panicked: Some(state), .. } => ("panicked".to_owned(), state),
            Endings { aborted: Some(_), .. } => return "aborted the process".to_owned(),
            _ => return "did not end".to_owned(),
        };
        let after = self.argument_texts(frame.function, args, state);
        for (number, (before, after)) in given.iter().zip(after).enumerate() {
            if *before != after {
                text += &format!(", argument {} is then {after}", number + 1);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::samples::*;
    use crate::cfa::{BinaryOp, Program, loops};
    use crate::solver::{Sort, Symbol, Terms};
    use crate::sym::{Called, Code, ExecutionLimits, Policy, Shapes, Treatment};

    struct Enter;

    impl Policy for Enter {
        fn treat(&mut self, _: Called, _: u32) -> Treatment {
            Treatment::Enter
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

    /// `f(x)` calls `twice(x)` where x is not 3.
    fn sample() -> (Program, FnId) {
        let mut program = program();
        let doubled = binary(0, BinaryOp::Add, read(1), read(1));
        let twice = add(&mut program, "twice", 1, &[U32, U32], vec![(0, 1, doubled)]);
        let edges = vec![
            (0, 1, equals(read(1), 3)),
            (0, 2, none_of(read(1), &[3])),
            (1, 3, copy(0, number(0))),
            (2, 3, call(twice, vec![read(1)], 0)),
        ];
        let id = add(&mut program, "f", 1, &[U32, U32], edges);
        (program, id)
    }

    fn run(argument: impl Fn(&mut Terms) -> Term) -> Option<Activation> {
        let (mut program, id) = sample();
        loops::add_exit_type(&mut program);
        let (code, shapes) = (Code::new(&program, Default::default()), Shapes::new(&program));
        let mut terms = Terms::new();
        let (argument, effect_state) = (argument(&mut terms), terms.var(Sort::EffectState));
        let state = State { path: Default::default(), objects: Default::default(), effect_state };
        let limits = ExecutionLimits { steps: 100, depth: 10, terms: 1_000, deadline: None };
        let policy = &mut Enter;
        let mut executor = Executor::new(&mut terms, &code, &shapes, policy, limits, 0);
        executor.trace = Some(Trace::default());
        executor.run_function(id, vec![Value::Scalar(argument)], state);
        executor.trace.take().unwrap().whole()
    }

    #[test]
    fn a_run_is_recorded_with_its_branches_and_calls() {
        let run = run(|terms| terms.bits(5, 32)).unwrap();
        assert_eq!((&run.given[..], &*run.gave), (&["5".to_owned()][..], "returned 10"));
        let [went, called] = &run.events[..] else { panic!("{run:?}") };
        assert!(matches!(went.did, Action::Branched(None)), "{went:?}");
        let Action::Called(call) = &called.did else { panic!("{called:?}") };
        assert_eq!((&call.given[..], &*call.gave), (&["5".to_owned()][..], "returned 10"));
        assert!(matches!(call.events[..], [Event { did: Action::Wrote(10), .. }]), "{call:?}");
    }

    #[test]
    fn a_run_of_several_paths_has_no_record() {
        assert!(run(|terms| terms.var(Sort::Bits(32))).is_none());
    }
}
