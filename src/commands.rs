//! What each subcommand does.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::cargo::Cargo;
use crate::check;
use crate::cli::{Check, Insight, MessageFormat, Options, Output, Replay, Show, Update};
use crate::error::Error;
use crate::exit::Exit;
use crate::last;
use crate::model::{Checked, Decision, UpgradeOutcome};
use crate::report::assemble::Detail;
use crate::report::progress::Progress;
use crate::report::terminal::{self, TerminalOptions};
use crate::report::{assemble, json, log, replays};
use crate::show;
use crate::solver::{self, Dump};
use crate::toolchain::{self, Toolchain};
use crate::upgrade::{self, Plan, Upgrade, UpgradeRequest};
use crate::witness::{self, ProcessLimits, ReplayedTest};

pub fn check(arguments: &Check) -> Result<Exit, Error> {
    let dump = dump(&arguments.insight)?;
    let run = Run::start(&arguments.options, &arguments.output, &arguments.upgrades.requests())?;
    let checked = run.check(arguments.output.timeout)?;
    run.print(&checked, false)?;
    run.say_what_was_not_dumped(dump.as_deref());
    last::write(&run.plan.client.private, &arguments.upgrades.requests(), &checked);
    Ok(exit_of(&checked))
}

pub fn update(arguments: &Update) -> Result<Exit, Error> {
    if arguments.options.for_cargo().locked && !arguments.dry_run {
        return Err(Error::LockedForbidsWriting);
    }
    let dump = dump(&arguments.insight)?;
    let mut options = arguments.options.clone();
    // One Cargo.lock serves all members, also those that are not built by default.
    options.workspace.workspace |= options.workspace.package.is_empty();
    let mut run = Run::start(&options, &arguments.output, &arguments.requests())?;
    run.selection = arguments.options.selection();
    let checked = run.check(arguments.output.timeout)?;
    run.print(&checked, true)?;
    let written = run.write_equivalent(&checked, arguments.dry_run);
    run.say_what_was_not_dumped(dump.as_deref());
    written?;
    Ok(exit_of(&checked))
}

pub fn show(arguments: &Show) -> Result<Exit, Error> {
    let run = Run::start_with(&arguments.options, &arguments.output, |private| {
        match arguments.upgrades.requests() {
            requests if requests.is_empty() => last::read(private),
            requests => requests,
        }
    })?;
    let mut near = Vec::new();
    for upgrade in run.plan.upgrades.iter().filter(|it| it.error.is_none()) {
        let builds = check::builds(&run.cargo, &run.plan, upgrade, &run.progress)?;
        let pairs = show::find(&builds, &arguments.function);
        if !pairs.is_empty() {
            run.progress.finish();
            let width = TerminalOptions::for_stdout(run.verbose, false, Vec::new()).width;
            let root = &run.plan.client.workspace_root;
            let text = show::render(&pairs, arguments, root, width);
            write_result(&text)?;
            return Ok(Exit::Equivalent);
        }
        near.extend(show::near(&builds, &arguments.function));
    }
    Err(Error::NoSuchFunction { name: arguments.function.clone(), near })
}

pub fn replay(arguments: &Replay) -> Result<Exit, Error> {
    let options = &arguments.options;
    choose_color(options);
    let cargo = Cargo::new(&Toolchain::find()?, &options.for_cargo());
    let progress = Progress::new(options.quiet);
    log::start(options.verbose, &progress)?;
    progress.stage("running kept tests with both versions");
    let client = upgrade::Client::open(&cargo)?;
    let mut limits = ProcessLimits::default();
    limits.time = arguments.timeout.unwrap_or(limits.time);
    let tests = witness::replay(&cargo, &client, arguments.test.as_deref(), &limits)?;
    progress.finish();
    let replays = assemble::replays(&tests);
    write_result(&match arguments.message_format {
        MessageFormat::Json => json::render(&replays),
        MessageFormat::Human => replays::render(&replays),
    })?;
    Ok(exit_of_replays(&tests))
}

pub fn setup() -> Result<Exit, Error> {
    let toolchain = toolchain::setup(&mut |text| eprintln!("{text}"))?;
    eprintln!("ready: {} and Z3 {}", toolchain.channel, toolchain.z3_version()?);
    Ok(Exit::Equivalent)
}

fn exit_of(checked: &Checked<'_>) -> Exit {
    let outcomes = || checked.upgrades.iter().map(|(_, upgrade)| &upgrade.outcome);
    if outcomes().any(|it| it.decision() == Decision::Different) {
        Exit::Different
    } else if outcomes().any(|it| !matches!(it, UpgradeOutcome::Judged(_))) {
        Exit::Incomplete
    } else if outcomes().any(|it| it.decision() == Decision::Unknown) {
        Exit::Unknown
    } else {
        Exit::Equivalent
    }
}

/// A test that still differs counts more than one that could not be run.
fn exit_of_replays(tests: &[ReplayedTest]) -> Exit {
    if tests.iter().any(|test| test.differs() == Some(true)) {
        Exit::Different
    } else if tests.iter().any(|test| test.differs().is_none()) {
        Exit::Incomplete
    } else {
        Exit::Equivalent
    }
}

/// Where the questions to the solver are written, if that was asked for.
fn dump(insight: &Insight) -> Result<Option<Arc<Dump>>, Error> {
    let Some(directory) = &insight.dump_queries else { return Ok(None) };
    match solver::dump_queries(directory) {
        Ok(dump) => Ok(Some(dump)),
        Err(source) => {
            let context = format!("cannot write queries to {}", directory.display());
            Err(Error::Io { context, source })
        }
    }
}

fn choose_color(options: &Options) {
    match options.color {
        clap::ColorChoice::Auto => {}
        clap::ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        clap::ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
}

fn write_result(text: &str) -> Result<(), Error> {
    let mut stdout = io::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // Whoever closed the pipe has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(source) => Err(Error::Io { context: "cannot write the result".into(), source }),
        Ok(()) => Ok(()),
    }
}

/// What is said of an update that takes no upgrade.
const UNWRITTEN: &str =
    "Cargo.lock stays as it is: no upgrade that it can take is known to be equivalent";

/// A run that has found out what to do.
struct Run {
    cargo: Cargo,
    plan: Plan,
    /// Whether nothing was named, so that everything is judged.
    is_of_all: bool,
    /// Packages of upgrades that were not taken, by themselves.
    alone: OnceCell<Vec<Upgrade>>,
    progress: Progress,
    format: MessageFormat,
    verbose: bool,
    /// The arguments that say what is built.
    selection: Vec<String>,
}

impl Run {
    fn start(
        options: &Options,
        output: &Output,
        requests: &[UpgradeRequest],
    ) -> Result<Run, Error> {
        Run::start_with(options, output, |_| requests.to_vec())
    }

    /// `requests` may look into the private directory of the workspace.
    fn start_with(
        options: &Options,
        output: &Output,
        requests: impl FnOnce(&Path) -> Vec<UpgradeRequest>,
    ) -> Result<Run, Error> {
        choose_color(options);
        let cargo = Cargo::new(&Toolchain::find()?, &options.for_cargo());
        let verbose = options.verbose > 0;
        let progress = Progress::new(options.quiet);
        log::start(options.verbose, &progress)?;
        progress.stage("finding the versions");
        let client = upgrade::Client::open(&cargo)?;
        let requests = requests(&client.private);
        let plan = upgrade::plan_for(&cargo, client, &requests)?;
        for still in plan.upgrades.iter().filter(|it| it.error.is_none() && !it.moves()) {
            let asked = requests.iter().find(|it| it.name == still.dependency);
            let why = match asked {
                Some(UpgradeRequest { from: Some(_), to: Some(_), .. }) => {
                    "is the version on both sides"
                }
                Some(UpgradeRequest { to: Some(_), .. }) => "is locked already",
                _ => "is already the newest version that the manifest allows",
            };
            progress.println(format!("{} {} {why}", still.dependency, still.from));
        }
        if plan.upgrades.is_empty() {
            progress.println("every dependency is at the newest version that the manifest allows");
        }
        let (is_of_all, alone) = (requests.is_empty(), OnceCell::new());
        let format = output.message_format;
        let selection = options.selection();
        Ok(Run { cargo, plan, is_of_all, alone, progress, format, verbose, selection })
    }

    /// Judges the upgrades and, where all are asked for, what moves along with those that cannot be taken:
    /// it may be taken alone.
    fn check(&self, timeout: Option<Duration>) -> Result<Checked<'_>, Error> {
        let Run { cargo, plan, progress, .. } = self;
        let mut checked = check::check(cargo, plan, &plan.upgrades, timeout, progress)?;
        if self.is_of_all {
            let judged = checked.upgrades.iter();
            let open = judged.filter(|(_, it)| it.outcome.decision() != Decision::Equivalent);
            let open: Vec<&Upgrade> = open.map(|(upgrade, _)| *upgrade).collect();
            if open.is_empty() {
                return Ok(checked);
            }
            progress.stage("finding what can move alone");
            let alone = plan.alone(cargo, &open)?;
            let alone = self.alone.get_or_init(|| alone);
            let more = check::check(cargo, plan, alone, timeout, progress)?;
            checked.upgrades.extend(more.upgrades);
        }
        Ok(checked)
    }

    fn print(&self, checked: &Checked<'_>, updating: bool) -> Result<(), Error> {
        self.progress.finish();
        let detail = if self.verbose { Detail::All } else { Detail::Usual };
        let report = assemble::report(checked, detail);
        let text = match self.format {
            MessageFormat::Json => json::render(&report),
            MessageFormat::Human => terminal::render(
                &report,
                &TerminalOptions::for_stdout(self.verbose, updating, self.selection.clone()),
            ),
        };
        write_result(&text)
    }

    /// A file that cannot be written takes nothing from the verdicts.
    fn say_what_was_not_dumped(&self, dump: Option<&Dump>) {
        if let Some(failure) = dump.and_then(Dump::failure) {
            self.progress.println(format!("error: not all queries were written: {failure}"));
        }
    }

    /// Writes the upgrades that are equivalent into Cargo.lock, all at once.
    fn write_equivalent(&self, checked: &Checked<'_>, dry_run: bool) -> Result<(), Error> {
        let judged = checked.upgrades.iter();
        let equivalent: Vec<_> = judged
            .filter(|(_, it)| it.outcome.decision() == Decision::Equivalent)
            .map(|(planned, _)| *planned)
            .collect();
        if equivalent.is_empty() {
            self.progress.println(UNWRITTEN);
            return Ok(());
        }
        let mut combined = upgrade::combine(&self.cargo, &self.plan, &equivalent)?;
        if combined.included.len() > 1 {
            // Each is equivalent alone; together they are a build that nobody has seen yet.
            let names: HashSet<String> = equivalent.iter().flat_map(|it| it.moving()).collect();
            let (cargo, plan) = (&self.cargo, &self.plan);
            if !check::is_equivalent(cargo, plan, &combined.side, &names, &self.progress)? {
                combined = upgrade::combine(cargo, plan, &equivalent[..1])?;
                self.progress.println(
                    "the upgrades are equivalent one by one, but not shown to be so together: \
                     only the first is written",
                );
            }
        }
        self.progress.finish();
        for skipped in &combined.skipped {
            let upgrade = equivalent[skipped.index];
            let (name, to) = (&upgrade.dependency, &upgrade.to);
            self.progress.println(format!("{name} {to} is not written: {}", skipped.reason));
        }
        if combined.included.is_empty() {
            self.progress.println(UNWRITTEN);
            return Ok(());
        }
        if !dry_run {
            combined.write(&self.cargo, &self.plan)?;
        }
        let verb = if dry_run { "would write" } else { "wrote" };
        let written: Vec<String> = combined
            .included
            .iter()
            .map(|&index| &equivalent[index])
            .map(|it| format!("{} {} -> {}", it.dependency, it.from, it.to))
            .collect();
        self.progress.println(format!("{verb} Cargo.lock: {}", written.join(", ")));
        Ok(())
    }
}
