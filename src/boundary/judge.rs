//! Check*: decides entry points and the candidates below them, smallest first.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::search::candidates;
use crate::cfa::{Entry, EntryTarget, FnId, Span, TyId};
use crate::change::{Findings, Pair};
use crate::equiv::{Budget, Inputs, Matched, Matching, Prover, Standing, Why, Without};
use crate::report::schema::{Boundary, BoundaryKind, CallSite, Engine, Verdict};
use crate::solver::Solver;
use crate::sym::{Called, Code, Shapes};

/// Inputs of an entry point on which an interpreter saw the two sides differ.
pub struct Suspicion {
    /// The place of the entry point in the findings.
    pub entry: usize,
    pub inputs: Inputs,
}

/// An entry point that could not be decided.
pub struct Undecided {
    /// The place of the entry point in the findings.
    pub entry: usize,
    /// Inputs that may show a difference if native code runs them.
    pub inputs: Vec<Inputs>,
    /// Whether all that it does is what it returns, and follows from what it is given.
    pub is_pure: bool,
}

/// What came out beside what was written into the findings.
#[derive(Default)]
pub struct Judged {
    pub suspicions: Vec<Suspicion>,
    pub undecided: Vec<Undecided>,
    pub proving: Duration,
}

/// The stack of the thread that runs code: calls and turns of loops nest.
const STACK: usize = 1 << 30;

/// Tries to decide every entry point that is unknown so far.
pub fn judge(
    pair: &Pair<'_>,
    exit_types: [TyId; 2],
    findings: &mut Findings,
    solver: &Solver,
    budget: Budget,
    without: Without,
) -> Judged {
    std::thread::scope(|scope| {
        let judging = || judge_here(pair, exit_types, findings, solver, budget, without);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, judging);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(judged)) => judged,
            // What was decided before stands; nothing else is.
            _ => Judged::default(),
        }
    })
}

fn judge_here(
    pair: &Pair<'_>,
    exit_types: [TyId; 2],
    findings: &mut Findings,
    solver: &Solver,
    budget: Budget,
    without: Without,
) -> Judged {
    let programs = [pair.old.program, pair.new.program];
    let codes = [0, 1].map(|side| Code::new(programs[side], exit_types[side]));
    let matching = Matching::new(pair, codes);
    let shapes = programs.map(Shapes::new);
    let prover = Prover::new(&matching, &shapes, solver, budget, without);
    let mut judged = Judged::default();
    let mut standings: HashMap<Matched, Standing> = HashMap::new();
    for (index, (old, new)) in pair.entries().into_iter().enumerate() {
        let entry = &mut findings.entries[index];
        let Some(matched) = entry_pair(old, new) else { continue };
        if entry.verdict != Verdict::Unknown || entry.generic {
            continue;
        }
        let started = Instant::now();
        let standing = match standings.get(&matched) {
            Some(known) => known.clone(),
            None => without_panic(|| prover.settle_entry(matched)),
        };
        entry.time_ms = started.elapsed().as_millis() as u64;
        match &standing {
            Standing::Equal(engine) => {
                entry.verdict = Verdict::Equivalent;
                entry.engine = Some(*engine);
                entry.reason = proved(*engine).to_owned();
                if prover.is_partial(matched) {
                    entry.reason += "; where a loop of one version does not end, nothing is said";
                }
            }
            Standing::Different(inputs) => {
                judged.suspicions.push(Suspicion { entry: index, inputs: inputs.clone() });
            }
            Standing::Unknown(why) => {
                entry.reason = not_decided(&matching, why);
                judged.undecided.push(Undecided {
                    entry: index,
                    inputs: prover.inputs_to_run(matched, NATIVE_RUNS),
                    is_pure: is_pure(&matching, matched),
                });
            }
        }
        standings.insert(matched, standing);
    }
    for site in &mut findings.call_sites {
        contain(&matching, &prover, site);
    }
    judged.proving = prover.spent.get();
    judged
}

/// How many inputs are chosen for native runs of an entry point.
const NATIVE_RUNS: usize = 2_000;

fn is_pure(matching: &Matching, matched: Matched) -> bool {
    (0..2).all(|side| match matched.side(side) {
        Called::Function(id) => !matching.has_effects(side, id),
        Called::Loop(..) => false,
    })
}

/// A failure of the prover is never a verdict.
fn without_panic(settle: impl FnOnce() -> Standing) -> Standing {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(settle)).unwrap_or_else(|_| {
        let reason = "the prover failed: please report this".to_owned();
        Standing::Unknown(Why { reason, place: None })
    })
}

/// The functions behind an entry point that both sides have.
fn entry_pair(old: Option<&Entry>, new: Option<&Entry>) -> Option<Matched> {
    match (old?.target, new?.target) {
        (EntryTarget::Function(old), EntryTarget::Function(new)) => {
            Some(Matched { old: Called::Function(old), new: Called::Function(new) })
        }
        _ => None,
    }
}

/// Why an entry point is equivalent.
pub fn proved(engine: Engine) -> &'static str {
    match engine {
        Engine::Same => "everything it can reach is identical",
        Engine::Run => "all inputs that there are were run, and none differs",
        Engine::Summary => "what changed makes no difference on any of its paths",
        Engine::Unroll => "what changed makes no difference, however often its loops can run",
        Engine::Product => "what changed makes no difference after any number of steps",
    }
}

fn not_decided(matching: &Matching, why: &Why) -> String {
    match why.place {
        None => format!("not decided: {}", why.reason),
        Some((side, function, _)) => {
            let name = &matching.codes[side].program.function(function).name;
            format!("not decided: {} in {name}", why.reason)
        }
    }
}

/// The smallest boundary of a call site that was proved.
fn contain(matching: &Matching, prover: &Prover, site: &mut CallSite) {
    let program = matching.codes[1].program;
    let caller = program.functions.iter().position(|it| it.name == site.caller);
    let Some(caller) = caller.map(|index| FnId(index as u32)) else { return };
    for candidate in candidates(matching, caller, (site.line, site.column), &site.callee) {
        let Some(Standing::Equal(engine)) = prover.standing(candidate.matched) else { continue };
        let (Called::Function(id) | Called::Loop(id, _)) = candidate.matched.new;
        let span = match candidate.matched.new {
            _ if candidate.kind == BoundaryKind::Call => {
                Span { line: site.line, end_line: site.end_line, ..program.function(id).span }
            }
            Called::Function(id) => program.function(id).span,
            Called::Loop(id, number) => match matching.codes[1].ready(id) {
                Ok(ready) => ready.a_loop(number).span,
                Err(_) => program.function(id).span,
            },
        };
        let function = match candidate.kind {
            BoundaryKind::Call => site.caller.clone(),
            _ => program.function(id).name.clone(),
        };
        site.verdict = Verdict::Equivalent;
        site.engine = Some(engine);
        site.boundary = Some(Boundary {
            kind: candidate.kind,
            function,
            first_line: span.line,
            last_line: span.end_line,
        });
        return;
    }
}
