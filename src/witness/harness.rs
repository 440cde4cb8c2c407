//! Native runs of the entry points of one target of the client, with both versions.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tracing::{debug_span, trace_span};

use super::build::{Builder, Executables, Failed};
use super::kept::{self, Kept};
use super::outcome::{Comparison, NativeOutcome};
use super::process::{self, ProcessLimits};
use super::source::{self, RUNTIME, Signature};
use super::value::{Concrete, Invocation, Replay};
use super::view::Viewer;
use crate::cargo::Cargo;
use crate::cfa::{Entry, EntryKind, EntryTarget, Program};
use crate::error::Error;
use crate::model::{
    ClientTarget, Counterexample, NoTarget, NotCallable, NotRun, Observation, TargetKind,
};
use crate::upgrade::{ClientPackage, Plan, Upgrade};
use crate::version::{Both, Version};

/// How often a difference must show before it is believed.
const REPEATS: usize = 3;

/// How long a difference is repeated for; once it is in any case.
const REPEATING: Duration = Duration::from_secs(5);
/// How long a `main` may take: one that waits for something never ends.
const LONGEST_MAIN: Duration = Duration::from_secs(3);

/// How long one of many calls may take, and how many that take longer are passed over.
const HASTE: Duration = Duration::from_millis(300);
const SLOW_CALLS: usize = 4;

/// So many of the first calls are tried apart from the others, whatever numbers they have.
const FIRST_CALLS: usize = 64;

/// How long calls are waited for that end in time with only one of the versions, all in all.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs entry points of one target with both versions. Builds when it must, and only once an entry.
pub struct Harness<'a> {
    pub limits: ProcessLimits,
    pub(super) cargo: &'a Cargo,
    pub(super) plan: &'a Plan,
    pub(super) planned: &'a Upgrade,
    pub(super) target: Target<'a>,
    moving: HashSet<String>,
    built: Mutex<HashMap<String, Result<Built, NotRun>>>,
}

/// A target of the client.
pub(super) enum Target<'a> {
    Library(&'a ClientPackage),
    Binary(&'a ClientPackage, String),
    Unknown(NoTarget),
}

/// An entry point that can be run.
#[derive(Clone)]
pub(super) struct Built {
    executables: Arc<Executables>,
    /// Of its call in the program.
    pub number: u128,
    pub signature: Arc<Signature>,
}

impl<'a> Harness<'a> {
    pub fn new(
        cargo: &'a Cargo,
        plan: &'a Plan,
        planned: &'a Upgrade,
        target: &ClientTarget,
    ) -> Harness<'a> {
        Harness {
            limits: ProcessLimits::default(),
            cargo,
            plan,
            planned,
            target: find_target(plan, target),
            moving: planned.moving(),
            built: Mutex::new(HashMap::new()),
        }
    }

    /// Builds these entry points at once, which is cheaper than one after the other.
    pub fn prepare(&self, program: &Program, entries: &[&Entry]) {
        let mut waiting: Vec<(&Entry, Arc<Signature>)> = Vec::new();
        let mut built = self.built.lock().expect("no holder of the lock panics");
        for &entry in entries {
            let known = built.contains_key(&entry.name)
                || waiting.iter().any(|(other, _)| other.name == entry.name);
            if known || entry.kind == EntryKind::Main {
                continue;
            }
            match Signature::of(program, entry) {
                Ok(signature) => waiting.push((entry, Arc::new(signature))),
                Err(reason) => {
                    built.insert(entry.name.clone(), Err(reason));
                }
            }
        }
        let viewer = Viewer { program, moving: &self.moving };
        while !waiting.is_empty() {
            let modules: Vec<String> =
                (0..waiting.len()).map(|number| format!("call_{number}")).collect();
            let texts: Vec<String> =
                waiting.iter().map(|(_, signature)| signature.module(&viewer)).collect();
            let _span = debug_span!("native_build", entries = waiting.len()).entered();
            let main = source::main(&modules, &texts);
            let mut files =
                vec![("main.rs".to_owned(), main), ("runtime.rs".to_owned(), RUNTIME.to_owned())];
            files.extend(modules.iter().map(|name| format!("{name}.rs")).zip(texts));
            match self.builder().and_then(|builder| builder.program(&files)) {
                Ok(executables) => {
                    let executables = Arc::new(executables);
                    for (number, (entry, signature)) in waiting.drain(..).enumerate() {
                        let executables = executables.clone();
                        let ready = Built { executables, number: number as u128, signature };
                        built.insert(entry.name.clone(), Ok(ready));
                    }
                }
                Err(Failed::File(file, reason)) => {
                    let number = modules.iter().position(|name| file == format!("{name}.rs"));
                    match number {
                        Some(number) => {
                            let (entry, _) = waiting.remove(number);
                            built.insert(entry.name.clone(), Err(reason));
                        }
                        None => give_up(&mut built, &mut waiting, &reason),
                    }
                }
                Err(Failed::Other(reason)) => give_up(&mut built, &mut waiting, &reason),
            }
        }
    }

    /// Runs an entry point on many arguments, small numbers first, and says on which of them the
    /// versions differ. Those on which one of them takes much longer than the other come last, and get
    /// more time.
    pub fn first_difference(
        &self,
        program: &Program,
        entry: &Entry,
        inputs: &[Vec<Concrete>],
    ) -> Option<Vec<Concrete>> {
        let built = self.built(program, entry).ok()?;
        let words = |arguments| built.signature.words(arguments).ok();
        let mut chosen: Vec<(Vec<u128>, &Vec<Concrete>)> =
            (inputs.iter()).filter_map(|arguments| Some((words(arguments)?, arguments))).collect();
        let first = chosen[..chosen.len().min(FIRST_CALLS)].to_vec();
        // With large numbers code runs out of time and memory.
        chosen.sort_by_key(|(words, _)| words.iter().copied().max());
        let series = [chosen, first].map(|chosen| {
            let call = |words: Vec<u128>| [vec![built.number], words].concat();
            let both = chosen.into_iter().map(|(words, kept)| (call(words), kept));
            both.unzip::<_, _, Vec<_>, Vec<_>>()
        });
        let names = self.planned.names();
        let differs = |calls: &[Vec<u128>], limits: &ProcessLimits| {
            let run = |version: Version| built.run(version, calls, limits).ok();
            let (old, new) = (run(Version::Old)?, run(Version::New)?);
            let compare = |index: &usize| old[*index].compare(&new[*index], &names);
            let found = (0..calls.len()).find(|index| compare(index) == Comparison::Different);
            let one_sided = (0..calls.len())
                .filter(|index| old[*index].is_timed_out() != new[*index].is_timed_out());
            Some((found, one_sided.collect::<Vec<_>>()))
        };
        let mut slow = Vec::new();
        for (calls, kept) in &series {
            let (found, one_sided) = differs(calls, &self.hasty())?;
            if let Some(index) = found {
                return Some(kept[index].clone());
            }
            slow.extend(one_sided.into_iter().rev().map(|index| (&calls[index], kept[index])));
        }
        let started = Instant::now();
        for (call, kept) in slow.into_iter().rev() {
            let left = PATIENCE.saturating_sub(started.elapsed());
            let limits = ProcessLimits { time: left.min(self.limits.time), ..self.limits };
            if left.is_zero() {
                break;
            }
            if let Some((Some(_), _)) = differs(std::slice::from_ref(call), &limits) {
                return Some(kept.clone());
            }
        }
        None
    }

    /// For runs of which there are many others.
    pub(super) fn hasty(&self) -> ProcessLimits {
        ProcessLimits { time: HASTE, ends: SLOW_CALLS, ..self.limits }
    }

    pub fn replay(&self, request: &Invocation<'_>) -> Replay {
        let mut replays = self.replay_many(std::slice::from_ref(request));
        replays.pop().expect("one request has one answer")
    }

    /// Runs each request with both versions, in processes of its own. One build serves all.
    pub fn replay_many(&self, requests: &[Invocation<'_>]) -> Vec<Replay> {
        if let Some(first) = requests.first() {
            let entries: Vec<&Entry> = requests.iter().map(|request| request.entry).collect();
            self.prepare(first.program, &entries);
        }
        requests
            .iter()
            .map(|request| self.try_replay(request).unwrap_or_else(Replay::NotRun))
            .collect()
    }

    fn try_replay(&self, request: &Invocation<'_>) -> Result<Replay, NotRun> {
        if request.entry.kind == EntryKind::Main {
            return self.replay_main(request.entry);
        }
        let built = self.built(request.program, request.entry)?;
        let words = built.signature.words(&request.arguments)?;
        let arguments = built.signature.expressions(&request.arguments)?;
        let call = [vec![built.number], words].concat();
        let confirmed = confirm(&self.planned.names(), |version| {
            let mut outcomes = built.run(version, std::slice::from_ref(&call), &self.limits)?;
            Ok(outcomes.pop().expect("one call has one outcome"))
        })?;
        let Some(outcomes) = confirmed else {
            return Ok(Replay::Same);
        };
        let viewer = Viewer { program: request.program, moving: &self.moving };
        let kept = Kept {
            call: built.signature.readable_call(&request.arguments)?,
            module: Some(built.signature.written_module(&viewer, &request.arguments)?),
            paths: built.signature.module(&viewer),
            ..self.kept(request.entry, &arguments, &outcomes)?
        };
        let observed = match request.entry.target {
            EntryTarget::Function(_) => Observation::Call,
            EntryTarget::Static(_) | EntryTarget::Constant(_) => Observation::Value,
        };
        self.counterexample(&kept, observed)
    }

    fn replay_main(&self, entry: &Entry) -> Result<Replay, NotRun> {
        let Target::Binary(_, name) = &self.target else {
            return Err(NotRun::Target(NoTarget::NotInBinary(entry.name.clone())));
        };
        let executables = self.builder().and_then(|it| it.binary(name)).map_err(reason)?;
        let limits = ProcessLimits { time: self.limits.time.min(LONGEST_MAIN), ..self.limits };
        let confirmed = confirm(&self.planned.names(), |version| {
            process::binary(&executables.paths[version], &limits).map_err(not_started)
        })?;
        let Some(outcomes) = confirmed else {
            return Ok(Replay::Same);
        };
        let call = format!("{name} without arguments");
        let kept = Kept { call, ..self.kept(entry, &[], &outcomes)? };
        self.counterexample(&kept, Observation::Main)
    }

    fn kept(
        &self,
        entry: &Entry,
        arguments: &[String],
        outcomes: &Both<NativeOutcome>,
    ) -> Result<Kept, NotRun> {
        let (package, binary) = match &self.target {
            Target::Library(package) => (*package, None),
            Target::Binary(package, name) => (*package, Some(name.clone())),
            Target::Unknown(why) => return Err(NotRun::Target(why.clone())),
        };
        Ok(Kept {
            entry: entry.name.clone(),
            arguments: arguments.to_vec(),
            old: outcomes.old.to_string(),
            new: outcomes.new.to_string(),
            package: package.name.clone(),
            binary,
            ..Kept::of(self.cargo, self.planned).map_err(failed)?
        })
    }

    fn counterexample(&self, kept: &Kept, observed: Observation) -> Result<Replay, NotRun> {
        let path = kept::keep(kept, &self.plan.client).map_err(failed)?;
        let root = &self.plan.client.workspace_root;
        let path = path.strip_prefix(root).unwrap_or(&path);
        Ok(Replay::Different(Counterexample {
            observed,
            arguments: kept.arguments.clone(),
            old: kept.old.clone(),
            new: kept.new.clone(),
            test: path.to_string_lossy().into_owned(),
            parting: None,
        }))
    }

    pub(super) fn built(&self, program: &Program, entry: &Entry) -> Result<Built, NotRun> {
        self.prepare(program, &[entry]);
        let built = self.built.lock().expect("no holder of the lock panics");
        let found = built.get(&entry.name).cloned();
        found.unwrap_or_else(|| Err(NotRun::Entry(entry.name.clone(), NotCallable::IsMain)))
    }

    fn builder(&self) -> Result<Builder<'_>, Failed> {
        let package = match &self.target {
            Target::Library(package) | Target::Binary(package, _) => package,
            Target::Unknown(why) => return Err(Failed::Other(NotRun::Target(why.clone()))),
        };
        let target = self.cargo.target();
        if target != self.cargo.toolchain.host {
            return Err(Failed::Other(NotRun::Target(NoTarget::OtherMachine(target))));
        }
        Ok(Builder {
            cargo: self.cargo,
            client: &self.plan.client,
            package,
            sides: Both::new(self.planned.old.clone(), self.planned.new.clone()),
            dependency: &self.planned.dependency,
            names: self.planned.names(),
        })
    }
}

impl Built {
    /// Runs calls in one process of this version, as far as they let it.
    pub fn run(
        &self,
        version: Version,
        calls: &[Vec<u128>],
        limits: &ProcessLimits,
    ) -> Result<Vec<NativeOutcome>, NotRun> {
        let _span = trace_span!("native_run", ?version, calls = calls.len()).entered();
        process::calls(self.executable(version), calls, limits).map_err(not_started)
    }

    pub fn executable(&self, version: Version) -> &std::path::Path {
        &self.executables.paths[version]
    }
}

/// Both outcomes, if they differ and do so every time.
pub(super) fn confirm(
    names: &Both<String>,
    mut run: impl FnMut(Version) -> Result<NativeOutcome, NotRun>,
) -> Result<Option<Both<NativeOutcome>>, NotRun> {
    let first = Both::try_from_fn(&mut run)?;
    match first.old.compare(&first.new, names) {
        Comparison::Same => return Ok(None),
        Comparison::Unknown(reason) => return Err(reason),
        Comparison::Different => {}
    }
    let started = Instant::now();
    for repeat in 1..REPEATS {
        if repeat > 1 && started.elapsed() > REPEATING {
            break;
        }
        for version in Version::BOTH {
            if run(version)? != first[version] {
                return Err(NotRun::Unrepeatable { with: names[version].clone() });
            }
        }
    }
    Ok(Some(first))
}

pub(super) fn reason(failed: Failed) -> NotRun {
    match failed {
        Failed::File(_, reason) | Failed::Other(reason) => reason,
    }
}

pub(super) fn not_started(error: io::Error) -> NotRun {
    NotRun::NotStarted(error.to_string())
}

pub(super) fn failed(error: Error) -> NotRun {
    NotRun::Failed(error.to_string())
}

fn give_up(
    built: &mut HashMap<String, Result<Built, NotRun>>,
    waiting: &mut Vec<(&Entry, Arc<Signature>)>,
    reason: &NotRun,
) {
    for (entry, _) in waiting.drain(..) {
        built.insert(entry.name.clone(), Err(reason.clone()));
    }
}

fn find_target<'a>(plan: &'a Plan, target: &ClientTarget) -> Target<'a> {
    let package = plan.client.packages.iter().find(|it| it.name == target.package);
    match (package, &target.kind) {
        (None, _) => Target::Unknown(NoTarget::Package(target.package.clone())),
        (Some(package), TargetKind::Binary(name)) => Target::Binary(package, name.clone()),
        (Some(package), TargetKind::Library) => Target::Library(package),
    }
}
