//! One upgrade after the other.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use tracing::{info, info_span};

use super::builds::{builds, builds_of_side};
use super::conclude::{Differences, conclude, counts};
use super::schedule::{self, SOLVER_MEMORY};
use super::target::{Judging, Spent, judge_target};
use crate::cargo::Cargo;
use crate::change::FunctionStatus;
use crate::error::Error;
use crate::extract::{self, Build};
use crate::interrupt::{self, Limit};
use crate::model::{
    Checked, CheckedUpgrade, ClientTarget, Conclusion, Decision, FunctionCounts, Times,
    ToolVersions, UpgradeOutcome,
};
use crate::report::progress::Progress;
use crate::solver::Solver;
use crate::upgrade::{BuildSide, Plan, Upgrade};
use crate::version::Both;

/// Judges upgrades of a plan. What keeps one upgrade from being judged does not stop the
/// others; an interruption does.
pub fn check<'p>(
    cargo: &Cargo,
    plan: &'p Plan,
    planned: &'p [Upgrade],
    timeout: Option<Duration>,
    progress: &Progress,
) -> Result<Checked<'p>, Error> {
    let mut upgrades = Vec::new();
    for planned in planned.iter().filter(|planned| planned.error.is_some() || planned.moves()) {
        let started = Instant::now();
        let Upgrade { dependency, from, to, .. } = planned;
        let _span = info_span!("upgrade", %dependency, %from, %to).entered();
        let _limit = timeout.map(Limit::start);
        let mut checked = match &planned.error {
            Some(_) => without_findings(UpgradeOutcome::NotPlanned),
            None => match judge(cargo, plan, planned, progress) {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                Err(error) => without_findings(UpgradeOutcome::Failed(error)),
                Ok(checked) => checked,
            },
        };
        checked.times.total = millis(started.elapsed());
        info!(outcome = ?checked.outcome, "judged");
        upgrades.push((planned, checked));
    }
    Ok(Checked {
        tool: ToolVersions {
            toolchain: cargo.toolchain.channel.clone(),
            z3: cargo.toolchain.z3_version()?,
        },
        client: &plan.client,
        profile: cargo.options.build.profile_name().to_owned(),
        upgrades,
    })
}

/// Whether the client is the same on two sides of which nothing else is known, such as several
/// upgrades taken together.
pub fn is_equivalent(
    cargo: &Cargo,
    plan: &Plan,
    new: &BuildSide,
    moving: &HashSet<String>,
    progress: &Progress,
) -> Result<bool, Error> {
    let builds = builds_of_side(cargo, plan, new, moving, progress)?;
    let solver = Solver::new(cargo.toolchain.solver.clone(), SOLVER_MEMORY);
    let jobs = schedule::jobs(cargo.options.jobs.as_deref());
    let judging = Judging { solver: &solver, native: None, jobs, progress };
    Ok(compare(&builds, plan, &judging).outcome.decision() == Decision::Equivalent)
}

fn judge(
    cargo: &Cargo,
    plan: &Plan,
    planned: &Upgrade,
    progress: &Progress,
) -> Result<CheckedUpgrade, Error> {
    if let Some(unused) = planned.unused {
        let conclusion = Conclusion::NotInBuild(unused);
        return Ok(without_findings(UpgradeOutcome::Judged(conclusion)));
    }
    let started = Instant::now();
    let builds = builds(cargo, plan, planned, progress)?;
    interrupt::check()?;
    let extract = millis(started.elapsed());
    progress
        .stage(format!("comparing {} {} with {}", planned.dependency, planned.from, planned.to));
    let started = Instant::now();
    let solver = Solver::new(cargo.toolchain.solver.clone(), SOLVER_MEMORY);
    let jobs = schedule::jobs(cargo.options.jobs.as_deref());
    let native = Some((cargo, plan, planned));
    let mut checked = compare(&builds, plan, &Judging { solver: &solver, native, jobs, progress });
    checked.times.extract = extract;
    let others = checked.times.prove + checked.times.run;
    checked.times.compare = millis(started.elapsed()).saturating_sub(others);
    Ok(checked)
}

fn compare(builds: &Both<Build>, plan: &Plan, judging: &Judging<'_>) -> CheckedUpgrade {
    let Both { old, new } = builds;
    let mut targets = Vec::new();
    let mut functions: BTreeMap<String, FunctionStatus> = BTreeMap::new();
    let mut spent = Spent::default();
    let deadline = schedule::deadline();
    for target in &new.targets {
        let Some(before) = old.targets.iter().find(|it| it.name == target.name) else { continue };
        let ClientTarget { package, kind } = &target.name;
        let _span = info_span!("target", %package, ?kind).entered();
        let scripts = Both::new(&old.scripts, &new.scripts);
        let programs = Both::new(&before.program, &target.program);
        let foreign_code_moves = extract::foreign_code_moves(&programs, &scripts);
        let judged = judge_target(before, target, foreign_code_moves, judging, deadline);
        functions.extend(judged.functions);
        spent += judged.spent;
        targets.push(judged.target);
    }
    let differences = Differences::between(old, new);
    let functions = counts(&functions);
    CheckedUpgrade {
        outcome: UpgradeOutcome::Judged(conclude(&targets, &functions, differences, plan)),
        functions,
        targets,
        times: Times {
            prove: millis(spent.proving),
            run: millis(spent.running),
            ..Times::default()
        },
    }
}

fn without_findings(outcome: UpgradeOutcome) -> CheckedUpgrade {
    CheckedUpgrade {
        outcome,
        functions: FunctionCounts::default(),
        targets: Vec::new(),
        times: Times::default(),
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}
