//! Check*: decides entry points and the candidates below them, smallest first.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::cfa::{FnId, TyId};
use crate::change::{Findings, NEW, Pair};
use crate::equiv::{
    Budget, Inputs, Matched, Matching, Prover, STACK, Standing, Standings, Why, Without,
};
use crate::report::schema::{Engine, Verdict};
use crate::solver::Solver;
use crate::sym::{Called, Shapes};

/// Inputs of an entry point on which an interpreter saw the two sides differ.
pub struct Suspicion {
    /// The place of the entry point in the findings.
    pub entry: usize,
    pub inputs: Inputs,
}

/// An entry point that was not proved equal.
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
    pub standings: Standings,
}

/// What proving may use.
pub struct Means<'m> {
    pub solver: &'m Solver,
    pub budget: Budget,
    pub without: Without,
    /// How many groups of entry points are judged at once.
    pub jobs: usize,
    /// What an earlier try led to.
    pub earlier: &'m Standings,
}

/// Tries to decide every entry point that is unknown so far. Those that share changed code are
/// judged one after the other, so that each knows what was settled for the others.
pub fn judge(
    pair: &Pair<'_>,
    exit_types: [TyId; 2],
    findings: &mut Findings,
    means: &Means<'_>,
) -> Judged {
    let pending: Group = (pair.entries().into_iter().enumerate())
        .filter(|(index, _)| {
            let entry = &findings.entries[*index];
            entry.verdict == Verdict::Unknown && !entry.generic
        })
        .filter_map(|(index, (old, new))| Some((index, Matched::of_entry(pair, old?, new?)?)))
        .collect();
    let groups = Mutex::new(groups(pair, exit_types, pending));
    let threads = means.jobs.clamp(1, groups.lock().map_or(1, |it| it.len()).max(1));
    let parts: Vec<Part> = std::thread::scope(|scope| {
        let judging = || judge_groups(pair, exit_types, &groups, means);
        let threads: Vec<_> = (0..threads)
            .map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, judging))
            .collect();
        // What a thread that failed was at stays unknown.
        threads.into_iter().filter_map(|thread| thread.ok()?.join().ok()).collect()
    });
    let mut judged = Judged::default();
    for part in parts {
        for (index, settled) in part.entries {
            let entry = &mut findings.entries[index];
            entry.time_ms += settled.time.as_millis() as u64;
            entry.reason = settled.reason;
            match settled.standing {
                Standing::Equal(engine) => {
                    entry.verdict = Verdict::Equivalent;
                    entry.engine = Some(engine);
                    entry.exercised = settled.exercised;
                    continue;
                }
                Standing::Different(inputs) => {
                    judged.suspicions.push(Suspicion { entry: index, inputs });
                }
                Standing::Unknown(_) => {}
            }
            judged.undecided.push(Undecided {
                entry: index,
                inputs: settled.inputs,
                is_pure: settled.is_pure,
            });
        }
        judged.proving += part.proving;
        judged.standings.extend(part.standings);
    }
    judged.suspicions.sort_by_key(|it| it.entry);
    judged.undecided.sort_by_key(|it| it.entry);
    judged
}

/// What one thread found out.
struct Part {
    entries: Vec<(usize, Settled)>,
    proving: Duration,
    standings: Standings,
}

struct Settled {
    standing: Standing,
    reason: String,
    time: Duration,
    exercised: Option<bool>,
    inputs: Vec<Inputs>,
    is_pure: bool,
}

/// Entry points by their places in the findings, which share code that is not identical, directly or
/// through others.
type Group = Vec<(usize, Matched)>;

fn groups(pair: &Pair<'_>, exit_types: [TyId; 2], pending: Group) -> Vec<Group> {
    let matching = Matching::new(pair, exit_types);
    let mut groups: Vec<(HashSet<FnId>, Group)> = Vec::new();
    for (index, matched) in pending {
        let mut reached = changed_below(&matching, matched.new);
        let mut members = vec![(index, matched)];
        groups.retain_mut(|(others, theirs)| {
            let apart = others.is_disjoint(&reached);
            if !apart {
                reached.extend(others.drain());
                members.append(theirs);
            }
            apart
        });
        members.sort_by_key(|(index, _)| *index);
        groups.push((reached, members));
    }
    // Taken from the end.
    groups.into_iter().rev().map(|(_, members)| members).collect()
}

/// The functions that are not identical and that one leads to, with itself.
fn changed_below(matching: &Matching, called: Called) -> HashSet<FnId> {
    let mut seen = HashSet::from([called]);
    let mut pending = vec![called];
    while let Some(called) = pending.pop() {
        for callee in matching.calls(NEW, called) {
            let (Called::Function(id) | Called::Loop(id, _)) = callee;
            if !matching.is_identical(NEW, id) && seen.insert(callee) {
                pending.push(callee);
            }
        }
    }
    let ids = seen.into_iter().map(|(Called::Function(id) | Called::Loop(id, _))| id);
    ids.collect()
}

fn judge_groups(
    pair: &Pair<'_>,
    exit_types: [TyId; 2],
    groups: &Mutex<Vec<Group>>,
    means: &Means<'_>,
) -> Part {
    let matching = Matching::new(pair, exit_types);
    let shapes = [pair.old.program, pair.new.program].map(Shapes::new);
    let Means { solver, budget, without, earlier, .. } = *means;
    let prover = Prover::new(&matching, &shapes, solver, budget, without, earlier);
    let mut entries = Vec::new();
    let mut known: HashMap<Matched, Standing> = HashMap::new();
    loop {
        let group = groups.lock().ok().and_then(|mut groups| groups.pop());
        let Some(group) = group else { break };
        for (index, matched) in group {
            let started = Instant::now();
            let standing = match known.get(&matched) {
                Some(standing) => standing.clone(),
                None => without_panic(|| prover.settle_entry(matched)),
            };
            known.insert(matched, standing.clone());
            let time = started.elapsed();
            let is_open = !matches!(standing, Standing::Equal(_));
            let exercised = match standing {
                Standing::Equal(_) => prover.is_exercised(matched),
                _ => None,
            };
            let inputs = is_open.then(|| prover.inputs_to_run(matched, NATIVE_RUNS));
            entries.push((
                index,
                Settled {
                    reason: reason(&matching, &prover, matched, &standing, exercised),
                    standing,
                    time,
                    exercised,
                    inputs: inputs.unwrap_or_default(),
                    is_pure: is_open && is_pure(&matching, matched),
                },
            ));
        }
    }
    Part { entries, proving: prover.spent.get(), standings: prover.standings() }
}

fn reason(
    matching: &Matching,
    prover: &Prover,
    matched: Matched,
    standing: &Standing,
    exercised: Option<bool>,
) -> String {
    match standing {
        Standing::Equal(_) if exercised == Some(false) => {
            "what changed is never exercised from here".to_owned()
        }
        Standing::Equal(engine) if prover.is_partial(matched) => {
            proved(*engine).to_owned() + ENDLESS
        }
        Standing::Equal(engine) => proved(*engine).to_owned(),
        // Native runs have the last word.
        Standing::Different(_) => "it seems to differ".to_owned(),
        Standing::Unknown(why) => not_decided(matching, why),
    }
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

/// What is added where inputs on which one of the versions does not end are outside of a proof.
pub const ENDLESS: &str = "; where a loop of one version does not end, nothing is said";

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
