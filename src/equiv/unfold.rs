//! What is known of uninterpreted calls, from one step of their code.

use super::context::Context;
use super::policy::Choose;
use super::start::{Interface, Start};
use crate::solver::{Term, Terms};
use crate::sym::{
    Called, Endings, ExecutionLimits, Executor, Frame, NanBits, Record, Shapes, State, Value,
};
use crate::version::Version;

/// More calls than this are not unfolded.
const MAX_CALLS: usize = 24;
const STEP: ExecutionLimits =
    ExecutionLimits { steps: 5_000, depth: 60, terms: 500_000, deadline: None };

/// Adds facts about the calls of the pair under proof: what they give is what their code gives.
///
/// Each fact holds only where its call is made, so that the inputs that it rules out are those on
/// which the call does not end.
pub fn unfold(
    context: &Context<'_>,
    version: Version,
    applications: &[Record],
    terms: &mut Terms,
    policy: &mut Choose<'_, '_>,
    facts: &mut Vec<Term>,
) {
    let Some(hypothesis) = policy.known.hypothesis else { return };
    let own = applications.iter().filter(|it| it.called == hypothesis[version]);
    for application in own.take(MAX_CALLS) {
        let mut made = Vec::new();
        if let Some(fact) = step(context, version, application, terms, policy, &mut made) {
            facts.push(fact);
            facts.append(&mut made);
        }
    }
}

fn step(
    context: &Context<'_>,
    version: Version,
    application: &Record,
    terms: &mut Terms,
    policy: &mut Choose<'_, '_>,
    facts: &mut Vec<Term>,
) -> Option<Term> {
    let shapes = &context.shapes[version];
    let interface = Interface::of_one(context, version, application.called).ok()?;
    let mut given = application.inputs.iter().copied();
    let start = Start::new(terms, shapes, &interface, NanBits::All, &mut |terms, sort| {
        given.next().filter(|it| terms.sort(*it) == sort).unwrap_or_else(|| terms.var(sort))
    });
    let start = start.ok()?;
    if start.leaves != application.inputs {
        return None;
    }
    let code = &context.matching.codes[version];
    let mut executor = Executor::new(terms, code, shapes, policy, STEP, start.next_object);
    let (ended, frame) = run_once(&mut executor, application.called, &interface, version, &start)?;
    facts.append(&mut executor.facts);
    if ended.aborted.is_some() || ended.diverged.is_some() {
        return None;
    }
    let condition = |terms: &mut Terms, state: &Option<State>| match state {
        Some(state) => state.condition(terms),
        None => terms.bool(false),
    };
    let panicked = condition(terms, &ended.panicked);
    let returned = condition(terms, &ended.returned);
    let (did_panic, results) = application.outputs.split_first()?;
    let did_return = terms.not(*did_panic);
    let mut returns = vec![did_return];
    if ended.returned.is_some() {
        let values = results_of(terms, shapes, &interface, version, &ended, &frame)?;
        if values.len() != results.len() {
            return None;
        }
        for (result, value) in results.iter().zip(values) {
            returns.push(terms.eq(*result, value));
        }
    }
    let returns = terms.and(returns);
    let if_returned = terms.implies(returned, returns);
    let if_panicked = terms.implies(panicked, *did_panic);
    let both = terms.and([if_returned, if_panicked]);
    Some(terms.implies(application.condition, both))
}

/// Runs a function, or one iteration of a loop.
pub fn run_once(
    executor: &mut Executor<'_, '_>,
    called: Called,
    interface: &Interface,
    version: Version,
    start: &Start,
) -> Option<(Endings, Frame)> {
    let mut state = start.state();
    match called {
        Called::Function(id) => Some(executor.run_function(id, start.values.clone(), state)),
        Called::Loop(id, number) => {
            let frame = executor.new_frame(id, number, &mut state).ok()?;
            for (&(local, _), value) in interface.params[version].iter().zip(&start.values) {
                state.objects.insert(frame.object(local), value.clone());
            }
            let ended = executor.run_iteration(&frame, number, state);
            Some((ended, frame))
        }
    }
}

/// The results of a run that returned, as the terms that a call of it gives.
pub fn results_of(
    terms: &mut Terms,
    shapes: &Shapes,
    interface: &Interface,
    version: Version,
    ended: &Endings,
    frame: &Frame,
) -> Option<Vec<Term>> {
    let state = ended.returned.as_ref()?;
    let mut results = Vec::new();
    for &(local, ty) in &interface.results[version] {
        let value = state.objects.get(&frame.object(local)).cloned().unwrap_or(Value::Uninit);
        shapes.flatten(terms, state, ty, &value, &mut results).ok()?;
    }
    Some(results)
}
