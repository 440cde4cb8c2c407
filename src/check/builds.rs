//! Both versions of the client's programs, with one name for what only moved.

use std::collections::HashSet;

use crate::cargo::Cargo;
use crate::change;
use crate::error::Error;
use crate::extract::{Build, BuildProgress, Extractor, Sides};
use crate::report::progress::Progress;
use crate::upgrade::{BuildSide, Plan, Upgrade};
use crate::version::Both;

/// The two builds of an upgrade.
pub fn builds(
    cargo: &Cargo,
    plan: &Plan,
    planned: &Upgrade,
    progress: &Progress,
) -> Result<Both<Build>, Error> {
    let names = planned.names();
    let sides = Sides {
        sides: Both::new(&planned.old, &planned.new),
        names: names.as_ref().map(String::as_str),
        moving: &planned.moving(),
    };
    build(cargo, plan, &sides, progress)
}

/// The builds of the client as it is locked and of another side, in which `moving` packages move.
pub fn builds_of_side(
    cargo: &Cargo,
    plan: &Plan,
    new: &BuildSide,
    moving: &HashSet<String>,
    progress: &Progress,
) -> Result<Both<Build>, Error> {
    let what = "all upgrades together";
    let sides = Both::new(&plan.client.base, new);
    let sides = Sides { sides, names: Both::new(what, what), moving };
    build(cargo, plan, &sides, progress)
}

fn build(
    cargo: &Cargo,
    plan: &Plan,
    sides: &Sides,
    progress: &Progress,
) -> Result<Both<Build>, Error> {
    let announce = &mut |message: &str| progress.println(message);
    let extractor = Extractor::new(cargo, &plan.client, announce)?;
    let watch = |so_far: BuildProgress<'_>| match so_far {
        BuildProgress::Starts(with) => progress.stage(format!("building with {with}")),
        BuildProgress::Packages { built, of } => progress.done(format!("{built} of {of} packages")),
    };
    let mut builds = extractor.extract(sides, &watch)?;
    for target in &builds.new.targets {
        if let Some(before) = builds.old.targets.iter_mut().find(|it| it.name == target.name) {
            change::follow_moves(&mut before.program, &target.program);
        }
    }
    Ok(builds)
}
