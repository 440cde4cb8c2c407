//! One target of the client: comparison, then rounds of proving and refuting.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::refute::Refuting;
use super::schedule::ROUNDS;
use crate::boundary::{self, Judged, Resources};
use crate::cargo::Cargo;
use crate::change::{CallSite, EntryPoint, Findings, FunctionStatus, Pair};
use crate::deadline::Deadline;
use crate::equiv::{Ablation, Context, PairVerdicts};
use crate::extract::BuiltTarget;
use crate::model::{
    CheckedCallSite, CheckedEntry, CheckedTarget, ClientTarget, Containment, EntryId, Extent,
    Verdict,
};
use crate::report::progress::Progress;
use crate::solver::Solver;
use crate::upgrade::{Plan, Upgrade};
use crate::witness::Harness;

/// What proving and refuting take.
pub struct Judging<'a> {
    pub solver: &'a Solver,
    /// What native runs take; without them nothing is refuted.
    pub native: Option<(&'a Cargo, &'a Plan, &'a Upgrade)>,
    /// How many entry points are judged at once.
    pub jobs: usize,
    pub progress: &'a Progress,
}

pub struct JudgedTarget {
    pub target: CheckedTarget,
    /// Every function that is reachable with the new version.
    pub functions: BTreeMap<String, FunctionStatus>,
    pub spent: Spent,
}

/// How long engines and native builds and runs took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub proving: Duration,
    pub running: Duration,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.proving += other.proving;
        self.running += other.running;
    }
}

/// Decides what can be decided of a target before the deadline.
pub fn judge_target(
    old: &BuiltTarget,
    new: &BuiltTarget,
    foreign_code_moves: bool,
    judging: &Judging<'_>,
    deadline: Deadline,
) -> JudgedTarget {
    let pair = Pair::new(&old.program, &new.program, foreign_code_moves);
    let findings = Findings::of(&pair);
    let mut known = Verdicts::of(&findings);
    let (containment, spent) = match known.open().is_empty() {
        true => (Vec::new(), Spent::default()),
        false => judging.decide(&pair, &findings, &new.name, &mut known, deadline),
    };
    let mut containment = containment.into_iter();
    let call_sites = findings.call_sites().map(|(_, site)| {
        call_site(&pair, site, containment.next().unwrap_or(Containment::Open(None)))
    });
    let call_sites = call_sites.collect();
    let entries = findings.entries().map(|(id, point)| known.entry(id, point)).collect();
    let Findings { changed, functions, .. } = findings;
    let target = CheckedTarget { target: new.name.clone(), entries, call_sites, changed };
    JudgedTarget { target, functions, spent }
}

impl Judging<'_> {
    /// Tries to decide what is unknown so far, and says how far each change can be felt then, and how
    /// long that took.
    fn decide(
        &self,
        pair: &Pair<'_>,
        findings: &Findings<'_>,
        target: &ClientTarget,
        known: &mut Verdicts,
        deadline: Deadline,
    ) -> (Vec<Containment>, Spent) {
        let ablation = Ablation::from_environment();
        let context = Context::new(pair);
        let harness =
            self.native.map(|(cargo, plan, planned)| Harness::new(cargo, plan, planned, target));
        let mut refuting =
            harness.as_ref().map(|harness| Refuting::new(harness, &context, findings));
        let mut spent = Spent::default();
        let mut standings = PairVerdicts::default();
        for round in ROUNDS {
            let (schedule, solver, jobs) = (round.proving, self.solver, self.jobs);
            let open = known.open();
            let judged = AtomicUsize::new(0);
            let judged_one = || {
                let judged = judged.fetch_add(1, Ordering::Relaxed) + 1;
                self.progress.done(format!("{judged} of {} entry points", open.len()));
            };
            self.progress.stage(match round.proving.is_repeated {
                false => "proving",
                true => "proving what is left, with more time",
            });
            let earlier = &standings;
            let judged_one = &judged_one;
            let means =
                Resources { solver, schedule, deadline, ablation, jobs, earlier, judged_one };
            let judged = boundary::judge(&context, findings, &open, &means);
            known.add(&judged);
            spent.proving += judged.proving;
            standings.extend(judged.standings);
            let started = Instant::now();
            if let Some(refuting) = &mut refuting {
                let not_proved = judged.entries.iter().filter(|it| !it.verdict.is_equivalent());
                let not_proved: Vec<_> = not_proved.collect();
                let runs_inputs = round.runs_inputs && !ablation.runs;
                if !not_proved.is_empty() {
                    let number = not_proved.len();
                    self.progress.stage(format!("running {number} of {} entry points", open.len()));
                    known.extend(refuting.refute(&not_proved, runs_inputs, deadline));
                }
                if runs_inputs {
                    known.extend(refuting.run_what_takes_nothing(&known.open()));
                }
            }
            spent.running += started.elapsed();
            if known.open().is_empty() {
                break;
            }
        }
        if let Some(refuting) = refuting {
            known.extend(refuting.inconclusive(&known.open()));
        }
        let contained = boundary::contain(&context, findings, &known.verdicts, &standings);
        (contained, spent)
    }
}

/// What is known of the entry points of a target so far.
struct Verdicts {
    verdicts: Vec<Verdict>,
    times: Vec<Duration>,
}

impl Verdicts {
    fn of(findings: &Findings<'_>) -> Verdicts {
        let verdicts: Vec<_> =
            findings.entries().map(|(_, point)| point.compared.clone()).collect();
        Verdicts { times: vec![Duration::ZERO; verdicts.len()], verdicts }
    }

    fn open(&self) -> Vec<EntryId> {
        let verdicts = self.verdicts.iter().enumerate();
        verdicts.filter(|(_, it)| it.is_unknown()).map(|(number, _)| EntryId(number)).collect()
    }

    fn add(&mut self, judged: &Judged) {
        for it in &judged.entries {
            self.verdicts[it.entry.0] = it.verdict.clone();
            self.times[it.entry.0] += it.time;
        }
    }

    fn extend(&mut self, found: BTreeMap<EntryId, Verdict>) {
        for (id, verdict) in found {
            self.verdicts[id.0] = verdict;
        }
    }

    fn entry(&self, id: EntryId, point: &EntryPoint<'_>) -> CheckedEntry {
        CheckedEntry {
            name: point.name().to_owned(),
            is_generic: point.is_generic,
            verdict: self.verdicts[id.0].clone(),
            time: self.times[id.0].as_millis() as u64,
            reaches: point.reaches.iter().map(|way| way.steps.clone()).collect(),
        }
    }
}

fn call_site(pair: &Pair<'_>, site: &CallSite, containment: Containment) -> CheckedCallSite {
    let side = &pair.new;
    let span = site.span;
    CheckedCallSite {
        caller: side.program.function(site.caller).name.clone(),
        callee: side.name(site.callee),
        extent: Extent {
            file: side.program.file(span).to_owned(),
            line: span.line,
            column: span.column,
            end_line: span.end_line,
            end_column: span.end_column,
        },
        path: site.path.steps.clone(),
        containment,
    }
}
