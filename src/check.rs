//! The main job: from upgrades to verdicts. The one place that knows all stages.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::num::NonZero;
use std::time::{Duration, Instant};

use cargo_metadata::Target;

use crate::boundary::{self, Means, Suspicion, Undecided};
use crate::cargo::Cargo;
use crate::cfa::{Entry, EntryKind, EntryTarget, TyId};
use crate::change::{Findings, Pair, Standing, findings};
use crate::equiv::{self, Budget, Inputs, Matched, Standings, Without};
use crate::error::Error;
use crate::extract::{Build, Extractor, Sides};
use crate::interrupt::{self, Limit};
use crate::report::progress::Progress;
use crate::report::schema::{
    Client, Counterexample, Counts, Engine, Failure, Parting, Report, SCHEMA, Times, Tool, Upgrade,
    Verdict,
};
use crate::solver::Solver;
use crate::upgrade::{self, Plan, Side};
use crate::witness::{self, Concrete, Domain, Exhausted, Harness, Replay, Request};

/// Judges every upgrade of a plan. What keeps one upgrade from being judged does not stop the
/// others; an interruption does.
pub fn check(
    cargo: &Cargo,
    plan: &Plan,
    timeout: Option<Duration>,
    progress: &Progress,
) -> Result<Report, Error> {
    let mut upgrades = Vec::new();
    for planned in plan.upgrades.iter().filter(|planned| planned.error.is_some() || planned.moves())
    {
        let started = Instant::now();
        let _limit = timeout.map(Limit::start);
        let mut upgrade = unjudged(planned, &plan.client);
        let judged = match &planned.error {
            Some(error) => Err(failure(error)),
            None => match judge(cargo, plan, planned, progress) {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                result => result.map_err(|error| failure(&error)),
            },
        };
        match judged {
            Ok(judgement) => judgement.write_to(&mut upgrade),
            Err(failure) => {
                upgrade.reason = failure.message.clone();
                upgrade.error = Some(failure);
            }
        }
        upgrade.time_ms.total = millis(started.elapsed());
        upgrades.push(upgrade);
    }
    Ok(Report {
        schema: SCHEMA,
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            toolchain: cargo.toolchain.channel.clone(),
            z3: cargo.toolchain.z3_version()?,
        },
        client: client(cargo, &plan.client),
        upgrades,
    })
}

/// Whether the client is the same on two sides of which nothing else is known, such as several
/// upgrades taken together.
pub fn is_equivalent(
    cargo: &Cargo,
    plan: &Plan,
    new: &Side,
    moving: &HashSet<String>,
    progress: &Progress,
) -> Result<bool, Error> {
    let what = "all upgrades together";
    let sides = Sides { sides: [&plan.client.base, new], names: [what, what], moving };
    let builds = build(cargo, plan, &sides, progress)?;
    let solver = Solver::new(cargo.toolchain.solver.clone(), SOLVER_MEMORY);
    let proving = Proving { solver: &solver, replay: None, jobs: jobs(cargo), progress };
    Ok(compare(&builds, plan, &proving).verdict == Verdict::Equivalent)
}

/// The two builds of an upgrade.
pub fn builds(
    cargo: &Cargo,
    plan: &Plan,
    planned: &upgrade::Upgrade,
    progress: &Progress,
) -> Result<[Build; 2], Error> {
    let names = [&planned.from, &planned.to].map(|it| format!("{} {it}", planned.dependency));
    let sides = Sides {
        sides: [&planned.old, &planned.new],
        names: [&names[0], &names[1]],
        moving: &moving(planned),
    };
    build(cargo, plan, &sides, progress)
}

/// What is known of an upgrade in the end.
struct Judgement {
    verdict: Verdict,
    reason: String,
    counts: Counts,
    findings: Vec<Findings>,
    times: Times,
}

fn judge(
    cargo: &Cargo,
    plan: &Plan,
    planned: &upgrade::Upgrade,
    progress: &Progress,
) -> Result<Judgement, Error> {
    if let Some(reason) = &planned.unused {
        return Ok(Judgement {
            verdict: Verdict::Equivalent,
            reason: reason.clone(),
            counts: Counts::default(),
            findings: Vec::new(),
            times: Times::default(),
        });
    }
    let started = Instant::now();
    let builds = builds(cargo, plan, planned, progress)?;
    interrupt::check()?;
    let extract = millis(started.elapsed());
    progress
        .stage(format!("comparing {} {} with {}", planned.dependency, planned.from, planned.to));
    let started = Instant::now();
    let solver = Solver::new(cargo.toolchain.solver.clone(), SOLVER_MEMORY);
    let replay = Some((cargo, planned));
    let proving = Proving { solver: &solver, replay, jobs: jobs(cargo), progress };
    let mut judgement = compare(&builds, plan, &proving);
    judgement.times.extract = extract;
    let proving = judgement.times.prove;
    judgement.times.compare = millis(started.elapsed()).saturating_sub(proving);
    Ok(judgement)
}

/// The packages that an upgrade moves.
fn moving(planned: &upgrade::Upgrade) -> HashSet<String> {
    let others = planned.moved.iter().map(|moved| &moved.name);
    others.chain([&planned.dependency]).cloned().collect()
}

fn build(
    cargo: &Cargo,
    plan: &Plan,
    sides: &Sides,
    progress: &Progress,
) -> Result<[Build; 2], Error> {
    let announce = &mut |message: &str| progress.println(message);
    let extractor = Extractor::new(cargo, &plan.client, announce)?;
    extractor.extract(sides, &|name| progress.stage(format!("building with {name}")))
}

/// How many entry points are judged at once: as many as the user asked for, or half of the cores,
/// because a question can keep two processes busy.
fn jobs(cargo: &Cargo) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let asked: Option<isize> = cargo.options.jobs.as_ref().and_then(|it| it.parse().ok());
    match asked {
        Some(jobs) if jobs > 0 => jobs.unsigned_abs(),
        // As cargo counts.
        Some(fewer) => cores.saturating_sub(fewer.unsigned_abs()).max(1),
        None => (cores / 2).max(1),
    }
}

/// What a process of the solver may use.
const SOLVER_MEMORY: u64 = 2 << 30;
/// How long the first candidates and an entry point may take to be proved, before it was run natively
/// and after.
const FIRST: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
const SECOND: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(8)];
/// How long an upgrade may take.
const PROVING: Duration = Duration::from_secs(120);

/// What proving and refuting take.
struct Proving<'a> {
    solver: &'a Solver,
    /// What native runs take; without them nothing is refuted.
    replay: Option<(&'a Cargo, &'a upgrade::Upgrade)>,
    jobs: usize,
    progress: &'a Progress,
}

impl Proving<'_> {
    /// Tries to decide what is unknown so far, and says how long it took.
    fn prove(
        &self,
        pair: &Pair<'_>,
        exit_types: [TyId; 2],
        findings: &mut Findings,
        plan: &Plan,
        budget: Budget,
    ) -> Duration {
        if findings.entries.iter().all(|it| it.verdict != Verdict::Unknown) {
            return Duration::ZERO;
        }
        self.progress.stage("proving".to_owned());
        let without = Without::from_environment();
        let harness = self.replay.map(|(cargo, planned)| {
            Harness::new(cargo, plan, planned, &findings.entries[0].target)
        });
        let mut proving = Duration::ZERO;
        let mut standings = Standings::default();
        let mut inconclusive = BTreeMap::new();
        // What differs shows soon, here or in native runs: the time for proofs is for the rest.
        let [candidate, entry] = FIRST;
        let first = Budget { candidate, entry, is_second: false, ..budget };
        for (budget, is_last) in [(first, false), (budget, true)] {
            let (solver, jobs) = (self.solver, self.jobs);
            let means = Means { solver, budget, without, jobs, earlier: &standings };
            let judged = boundary::judge(pair, exit_types, findings, &means);
            proving += judged.proving;
            standings.extend(judged.standings);
            let (suspicions, undecided) = (judged.suspicions, judged.undecided);
            if let Some(harness) = &harness
                && !(suspicions.is_empty() && undecided.is_empty())
            {
                self.progress.stage("running what may differ".to_owned());
                let mut refuting = Refuting {
                    harness,
                    pair,
                    exit_types,
                    findings,
                    inconclusive: &mut inconclusive,
                };
                let undecided = if without.runs || is_last { Vec::new() } else { undecided };
                refuting.prepare(&suspicions, &undecided);
                refuting.refute(&suspicions);
                refuting.run_natively(&undecided, budget.deadline);
            }
            if let Some(harness) = &harness
                && !without.runs
                && !is_last
            {
                let inconclusive = &mut inconclusive;
                Refuting { harness, pair, exit_types, findings, inconclusive }
                    .run_what_takes_nothing();
            }
            if findings.entries.iter().all(|it| it.verdict != Verdict::Unknown) {
                break;
            }
        }
        for (index, reason) in inconclusive {
            let entry = &mut findings.entries[index];
            if let (Verdict::Unknown, Some(reason)) = (entry.verdict, reason) {
                entry.reason = reason;
            }
        }
        boundary::contain(pair, exit_types, findings, &standings);
        proving
    }
}

/// What native runs say of entry points.
struct Refuting<'r, 'p> {
    harness: &'r Harness<'r>,
    pair: &'r Pair<'p>,
    exit_types: [TyId; 2],
    findings: &'r mut Findings,
    /// Why native runs tell nothing of an entry point, of those that were asked about.
    inconclusive: &'r mut BTreeMap<usize, Option<String>>,
}

impl<'p> Refuting<'_, 'p> {
    /// One build for all.
    fn prepare(&self, suspicions: &[Suspicion], undecided: &[Undecided]) {
        let suspicions = suspicions.iter().map(|it| (it.entry, Some(&it.inputs)));
        let undecided = undecided.iter().map(|it| (it.entry, it.inputs.first()));
        let requests: Vec<Request<'p>> = (suspicions.chain(undecided))
            .filter_map(|(entry, inputs)| self.request(entry, inputs?))
            .collect();
        let entries: Vec<_> = requests.iter().map(|it| it.entry).collect();
        self.harness.prepare(self.pair.new.program, &entries);
    }

    /// Runs natively what an interpreter saw differ.
    fn refute(&mut self, suspicions: &[Suspicion]) {
        let mut requests = Vec::new();
        for suspicion in suspicions {
            match self.request(suspicion.entry, &suspicion.inputs) {
                Some(request) => requests.push((suspicion.entry, request)),
                None => {
                    self.findings.entries[suspicion.entry].reason =
                        "it seems to differ, but what it takes cannot be written down".to_owned();
                }
            }
        }
        for (index, request) in requests {
            // What the interpreter saw rests on no address, but on this input alone.
            let replay = match self.is_inconclusive(index) {
                true => self.replay(index, request),
                false => self.shrink_and_replay(index, request),
            };
            match replay {
                Replay::Different(_) => {}
                Replay::Same => {
                    self.findings.entries[index].reason =
                        "it seems to differ, but native runs showed no difference".to_owned();
                }
                Replay::NotRun(reason) => {
                    self.findings.entries[index].reason =
                        format!("it seems to differ, but could not be run: {reason}");
                }
            }
        }
    }

    /// Runs what could not be decided: on all inputs where these are few, and on some otherwise.
    fn run_natively(&mut self, undecided: &[Undecided], deadline: Instant) {
        let program = self.pair.new.program;
        let entries = self.pair.entries();
        for undecided in undecided {
            let Some(entry) = entries[undecided.entry].1 else { continue };
            if self.findings.entries[undecided.entry].verdict != Verdict::Unknown {
                continue;
            }
            let made = undecided.inputs.iter().map(|it| witness::arguments(program, entry, it));
            let Some(inputs) = made.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty()) else {
                continue;
            };
            if Instant::now() >= deadline {
                return;
            }
            if self.is_inconclusive(undecided.entry) {
                continue;
            }
            if let Some(arguments) = self.harness.first_difference(program, entry, &inputs) {
                self.shrink_and_replay(undecided.entry, Request { program, entry, arguments });
            } else if undecided.is_pure
                && Domain::shows_all(program, entry)
                && let Some(domain) = Domain::of(program, entry)
                && domain.len().is_some_and(|it| it <= FEW_INPUTS)
            {
                let ran = self.harness.run_all(program, entry, &domain);
                match ran {
                    Exhausted::AllSame(_) => {
                        let result = &mut self.findings.entries[undecided.entry];
                        result.verdict = Verdict::Equivalent;
                        result.engine = Some(Engine::Run);
                        result.reason = boundary::proved(Engine::Run).to_owned();
                    }
                    Exhausted::Found(arguments, Replay::Different(counterexample)) => {
                        self.found(undecided.entry, &arguments, counterexample);
                    }
                    Exhausted::Found(..) | Exhausted::NotRun(_) => {}
                }
            }
        }
    }

    /// Runs `main`, and shows what constants and statics are.
    fn run_what_takes_nothing(&mut self) {
        let program = self.pair.new.program;
        let is_open = |index: &usize| self.findings.entries[*index].verdict == Verdict::Unknown;
        let mut open = Vec::new();
        for (index, pair) in self.pair.entries().into_iter().enumerate() {
            if let (Some(_), Some(entry)) = pair
                && takes_nothing(entry)
                && is_open(&index)
            {
                open.push((index, entry));
            }
        }
        let entries: Vec<_> = open.iter().map(|(_, entry)| *entry).collect();
        if !entries.is_empty() {
            self.harness.prepare(program, &entries);
        }
        for (index, entry) in open {
            if self.is_inconclusive(index) {
                continue;
            }
            let replay = self.harness.replay(&Request { program, entry, arguments: Vec::new() });
            if let Replay::Different(counterexample) = replay {
                self.found(index, &[], counterexample);
            }
        }
    }

    /// Whether native runs tell nothing of an entry point.
    fn is_inconclusive(&mut self, index: usize) -> bool {
        let pair = self.pair;
        let reason = self.inconclusive.entry(index).or_insert_with(|| {
            let (old, new) = pair.entries()[index];
            let function = witness::looks_at_addresses(pair, old?, new?)?;
            Some(format!(
                "not decided: {function} looks at an address, by which any two builds can differ"
            ))
        });
        reason.is_some()
    }

    fn request(&self, entry: usize, inputs: &Inputs) -> Option<Request<'p>> {
        let program = self.pair.new.program;
        let entry = self.pair.entries()[entry].1?;
        let arguments = witness::arguments(program, entry, inputs)?;
        Some(Request { program, entry, arguments })
    }

    fn shrink_and_replay(&mut self, index: usize, request: Request<'_>) -> Replay {
        let arguments = self.harness.shrink(&request);
        self.replay(index, Request { arguments, ..request })
    }

    fn replay(&mut self, index: usize, request: Request<'_>) -> Replay {
        let replay = self.harness.replay(&request);
        if let Replay::Different(counterexample) = &replay {
            self.found(index, &request.arguments, counterexample.clone());
        }
        replay
    }

    fn found(&mut self, index: usize, arguments: &[Concrete], counterexample: Counterexample) {
        let parts = self.parting(index, arguments).map(Box::new);
        let reason = match self.pair.entries()[index].1 {
            Some(new) if !matches!(new.target, EntryTarget::Function(_)) => "its value differs",
            Some(new) if new.kind == EntryKind::Main => "it was run, and does not do the same",
            _ => "an input was run on which it differs",
        };
        let entry = &mut self.findings.entries[index];
        entry.verdict = Verdict::Different;
        entry.reason = reason.to_owned();
        entry.counterexample = Some(Counterexample { parts, ..counterexample });
    }

    /// Where the two runs of an entry point part, if an interpreter can follow them.
    fn parting(&self, index: usize, arguments: &[Concrete]) -> Option<Parting> {
        let (old, new) = self.pair.entries()[index];
        let matched = Matched::of_entry(self.pair, old?, new?)?;
        let inputs = witness::inputs(self.pair.new.program, new?, arguments)?;
        equiv::parting(self.pair, self.exit_types, matched, &inputs)
    }
}

/// Whether there is one way alone to run or see an entry point, and no engine for it.
fn takes_nothing(entry: &Entry) -> bool {
    match entry.target {
        EntryTarget::Function(_) => entry.kind == EntryKind::Main,
        EntryTarget::Static(_) | EntryTarget::Constant(_) => {
            matches!(entry.kind, EntryKind::Value | EntryKind::Reexport)
        }
    }
}

/// No more inputs than this are run through.
const FEW_INPUTS: u128 = 1 << 20;

fn compare([old, new]: &[Build; 2], plan: &Plan, proving: &Proving<'_>) -> Judgement {
    let mut all = Vec::new();
    let mut taken = Duration::ZERO;
    let deadline = interrupt::deadline().unwrap_or_else(|| Instant::now() + PROVING);
    let [candidate, entry] = SECOND;
    let budget = Budget { candidate, entry, deadline, is_second: true };
    let mut unmatched = Vec::new();
    for target in &new.targets {
        match old.targets.iter().find(|it| it.name == target.name) {
            Some(before) => {
                let foreign_code_moves = old.foreign != new.foreign
                    || before.program.assembly != target.program.assembly;
                let pair = Pair::new(&before.program, &target.program, foreign_code_moves);
                let mut found = findings(&pair, &target.name);
                let exit_types = [before.exit_type, target.exit_type];
                taken += proving.prove(&pair, exit_types, &mut found, plan, budget);
                all.push(found);
            }
            None => unmatched.push(target.name.as_str()),
        }
    }
    let gone = old.targets.iter().filter(|it| !new.targets.iter().any(|new| new.name == it.name));
    unmatched.extend(gone.map(|target| target.name.as_str()));
    let macros: BTreeSet<&str> =
        old.macros.symmetric_difference(&new.macros).map(|(name, _)| name.as_str()).collect();
    let mut judgement = conclude(all, &unmatched, &macros, plan);
    judgement.times.prove = millis(taken);
    judgement
}

fn conclude(
    findings: Vec<Findings>,
    unmatched: &[&str],
    macros: &BTreeSet<&str>,
    plan: &Plan,
) -> Judgement {
    let mut functions: BTreeMap<&str, Standing> = BTreeMap::new();
    for (name, standing) in findings.iter().flat_map(|findings| &findings.functions) {
        functions.insert(name, *standing);
    }
    let count = |standing: Standing| functions.values().filter(|it| **it == standing).count();
    let counts = Counts {
        reachable: functions.len(),
        identical: count(Standing::Identical),
        changed: count(Standing::Changed),
    };
    let entries: Vec<_> = findings.iter().flat_map(|findings| &findings.entries).collect();
    let with = |verdict| entries.iter().filter(|entry| entry.verdict == verdict).count();
    let (unknown, different) = (with(Verdict::Unknown), with(Verdict::Different));
    let client = plan.client.packages.iter().map(|it| it.name.as_str()).collect::<Vec<_>>();
    let (verdict, reason) = if !unmatched.is_empty() {
        let targets = unmatched.join(", ");
        (Verdict::Unknown, format!("built with only one of the two versions: {targets}"))
    } else if different > 0 {
        let reason = format!(
            "{different} of {} entry points behave differently, as a run of both versions showed",
            entries.len()
        );
        (Verdict::Different, reason)
    } else if unknown > 0 {
        let reason = format!(
            "{unknown} of {} entry points reach code that changed, and that it still does the same \
             is not proved",
            entries.len()
        );
        (Verdict::Unknown, reason)
    } else if !macros.is_empty() {
        let names = macros.iter().copied().collect::<Vec<_>>().join(", ");
        let reason = format!(
            "what moves is built into a procedural macro of the workspace ({names}), and those \
             cannot be compared yet"
        );
        (Verdict::Unknown, reason)
    } else if findings.is_empty() && plan.client.packages.iter().any(has_code) {
        (Verdict::Unknown, "no library and no binary of the client was built".to_owned())
    } else if findings.is_empty() {
        let reason = "only tests, examples or benches can use it: the client has no library and no \
                      binary";
        (Verdict::Equivalent, reason.to_owned())
    } else if entries.is_empty() {
        let reason = format!("{} offers nothing to outside callers", client.join(", "));
        (Verdict::Equivalent, reason)
    } else {
        let what = match counts.changed {
            0 => "nothing that changed is reachable from",
            _ => "what changed makes no difference to",
        };
        let is_partial = entries.iter().any(|entry| entry.reason.ends_with(boundary::ENDLESS));
        let unless = if is_partial { boundary::ENDLESS } else { "" };
        let reason = format!("{what} the entry points of {}{unless}", client.join(", "));
        (Verdict::Equivalent, reason)
    };
    Judgement { verdict, reason, counts, findings, times: Times::default() }
}

/// Whether a package has more than tests, examples, benches, a build script and a macro.
fn has_code(package: &upgrade::ClientPackage) -> bool {
    let others = |target: &Target| {
        target.is_test()
            || target.is_example()
            || target.is_bench()
            || target.is_custom_build()
            || target.is_proc_macro()
    };
    !package.targets.iter().all(others)
}

impl Judgement {
    fn write_to(self, upgrade: &mut Upgrade) {
        upgrade.verdict = self.verdict;
        upgrade.reason = self.reason;
        upgrade.functions = self.counts;
        upgrade.time_ms = self.times;
        for findings in self.findings {
            upgrade.entries.extend(findings.entries);
            for site in findings.call_sites {
                // A library and a binary of one package share code.
                let known = upgrade.call_sites.iter().any(|it| {
                    (&it.file, it.line, it.column, &it.callee)
                        == (&site.file, site.line, site.column, &site.callee)
                });
                if !known {
                    upgrade.call_sites.push(site);
                }
            }
            for changed in findings.changed {
                if !upgrade.changed.contains(&changed) {
                    upgrade.changed.push(changed);
                }
            }
        }
    }
}

fn unjudged(planned: &upgrade::Upgrade, client: &upgrade::Client) -> Upgrade {
    Upgrade {
        dependency: planned.dependency.clone(),
        from: planned.from.clone(),
        to: planned.to.clone(),
        verdict: Verdict::Unknown,
        reason: String::new(),
        lockable: planned.is_lockable(client),
        error: None,
        moved: planned.moved.clone(),
        functions: Counts::default(),
        changed: Vec::new(),
        entries: Vec::new(),
        call_sites: Vec::new(),
        time_ms: Times::default(),
    }
}

fn failure(error: &Error) -> Failure {
    Failure { message: error.to_string(), detail: error.detail().to_owned(), help: error.help() }
}

fn client(cargo: &Cargo, client: &upgrade::Client) -> Client {
    let join = |part: fn(&upgrade::ClientPackage) -> &String| {
        client.packages.iter().map(|it| part(it).as_str()).collect::<Vec<_>>().join(", ")
    };
    let profile = match &cargo.options.profile {
        Some(profile) => profile.clone(),
        None if cargo.options.release => "release".to_owned(),
        None => "dev".to_owned(),
    };
    Client {
        name: join(|package| &package.name),
        version: join(|package| &package.version),
        manifest_path: client.manifest_path.to_string_lossy().into_owned(),
        profile,
        workspace_root: client.workspace_root.to_string_lossy().into_owned(),
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}
