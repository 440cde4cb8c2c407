//! Check*: decides entry points and the candidates below them, smallest first.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::cfa::FnId;
use crate::change::Findings;
use crate::deadline::Deadline;
use crate::equiv::{
    Ablation, Context, Inputs, Matched, Matching, Obstacle, PairVerdict, PairVerdicts, Prover,
    STACK, Schedule,
};
use crate::model::{EntryId, Proof, Unconfirmed, Undecided, Verdict};
use crate::reason::NoProof;
use crate::solver::Solver;
use crate::sym::Called;
use crate::version::Version;

/// What engines say of one entry point.
pub struct JudgedEntry {
    pub entry: EntryId,
    /// Never different: native runs have the last word on that.
    pub verdict: Verdict,
    /// Inputs on which an interpreter saw the two versions differ.
    pub suspicion: Option<Inputs>,
    /// Of one that was not proved: inputs that may show a difference if native code runs them.
    pub inputs: Vec<Inputs>,
    /// Of one that was not proved: whether all that it does is what it returns, and follows from what
    /// it is given.
    pub is_pure: bool,
    pub time: Duration,
}

/// What engines say of the entry points of a target.
#[derive(Default)]
pub struct Judged {
    pub entries: Vec<JudgedEntry>,
    /// How long provers worked, all in all.
    pub proving: Duration,
    /// What is known of all pairs that were looked at.
    pub standings: PairVerdicts,
}

/// What proving may use.
pub struct Resources<'m> {
    pub solver: &'m Solver,
    pub schedule: Schedule,
    pub deadline: Deadline,
    pub ablation: Ablation,
    /// How many groups of entry points are judged at once.
    pub jobs: usize,
    /// What an earlier try led to.
    pub earlier: &'m PairVerdicts,
    /// Is called after each entry point.
    pub judged_one: &'m (dyn Fn() + Sync),
}

/// Tries to decide these entry points. Those that share changed code are judged one after the other, so
/// that each knows what was settled for the others.
pub fn judge(
    context: &Context<'_>,
    findings: &Findings<'_>,
    open: &[EntryId],
    means: &Resources<'_>,
) -> Judged {
    let matched = |id: EntryId| {
        let point = findings.entry(id);
        let (old, new) = point.both().filter(|_| !point.is_generic)?;
        Some((id, Matched::of_entry(context.pair, old, new)?))
    };
    let pending: Group = open.iter().filter_map(|id| matched(*id)).collect();
    let groups = Mutex::new(groups(&context.matching, pending));
    let threads = means.jobs.clamp(1, groups.lock().map_or(1, |it| it.len()).max(1));
    let here = tracing::Span::current();
    let parts: Vec<Judged> = std::thread::scope(|scope| {
        let judging = || here.in_scope(|| judge_groups(context, &groups, means));
        let threads: Vec<_> = (0..threads)
            .map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, judging))
            .collect();
        // What a thread that failed was at stays unknown.
        threads.into_iter().filter_map(|thread| thread.ok()?.join().ok()).collect()
    });
    let mut judged = Judged::default();
    for part in parts {
        judged.entries.extend(part.entries);
        judged.proving += part.proving;
        judged.standings.extend(part.standings);
    }
    judged.entries.sort_by_key(|it| it.entry);
    judged
}

/// Entry points that share code that is not identical, directly or through others.
type Group = Vec<(EntryId, Matched)>;

fn groups(matching: &Matching, pending: Group) -> Vec<Group> {
    let mut groups: Vec<(HashSet<FnId>, Group)> = Vec::new();
    for (id, matched) in pending {
        let mut reached = changed_below(matching, matched.new);
        let mut members = vec![(id, matched)];
        groups.retain_mut(|(others, theirs)| {
            let apart = others.is_disjoint(&reached);
            if !apart {
                reached.extend(others.drain());
                members.append(theirs);
            }
            apart
        });
        members.sort_by_key(|(id, _)| *id);
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
        for callee in matching.calls(Version::New, called) {
            let (Called::Function(id) | Called::Loop(id, _)) = callee;
            if !matching.is_identical(Version::New, id) && seen.insert(callee) {
                pending.push(callee);
            }
        }
    }
    let ids = seen.into_iter().map(|(Called::Function(id) | Called::Loop(id, _))| id);
    ids.collect()
}

fn judge_groups(
    context: &Context<'_>,
    groups: &Mutex<Vec<Group>>,
    means: &Resources<'_>,
) -> Judged {
    let Resources { solver, schedule, deadline, ablation, earlier, .. } = *means;
    let prover = Prover::new(context, solver, schedule, deadline, ablation, earlier);
    let mut entries = Vec::new();
    let mut known: HashMap<Matched, PairVerdict> = HashMap::new();
    loop {
        let group = groups.lock().ok().and_then(|mut groups| groups.pop());
        let Some(group) = group else { break };
        for (entry, matched) in group {
            let started = Instant::now();
            let standing = match known.get(&matched) {
                Some(standing) => standing.clone(),
                None => without_panic(|| prover.settle_entry(matched)),
            };
            known.insert(matched, standing.clone());
            let time = started.elapsed();
            (means.judged_one)();
            let is_open = !matches!(standing, PairVerdict::Equal(_));
            let inputs = is_open.then(|| prover.inputs_to_run(matched, NATIVE_RUNS));
            let (verdict, suspicion) = match standing {
                PairVerdict::Equal(engine) => {
                    let exercised = prover.is_exercised(matched);
                    let is_partial = prover.is_partial(matched) && exercised != Some(false);
                    (Verdict::Equivalent(Proof { engine, is_partial, exercised }), None)
                }
                PairVerdict::Different(inputs) => {
                    let undecided = Undecided::SeemsDifferent(Unconfirmed::NotTried);
                    (Verdict::Unknown(undecided), Some(inputs))
                }
                PairVerdict::Unknown(why) => {
                    let undecided = Undecided::NotProved(context.incomplete(&why));
                    (Verdict::Unknown(undecided), None)
                }
            };
            entries.push(JudgedEntry {
                entry,
                verdict,
                suspicion,
                inputs: inputs.unwrap_or_default(),
                is_pure: is_open && is_pure(&context.matching, matched),
                time,
            });
        }
    }
    Judged { entries, proving: prover.spent.get(), standings: prover.standings() }
}

/// How many inputs are chosen for native runs of an entry point.
const NATIVE_RUNS: usize = 2_000;

fn is_pure(matching: &Matching, matched: Matched) -> bool {
    Version::BOTH.into_iter().all(|version| match matched[version] {
        Called::Function(id) => !matching.has_effects(version, id),
        Called::Loop(..) => false,
    })
}

/// A failure of the prover is never a verdict.
fn without_panic(settle: impl FnOnce() -> PairVerdict) -> PairVerdict {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(settle)).unwrap_or_else(|_| {
        let reason = NoProof::ProverFailed.into();
        PairVerdict::Unknown(Obstacle { reason, place: None })
    })
}
