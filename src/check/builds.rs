//! Both versions of the client's programs.

use std::collections::HashSet;

use crate::cargo::Cargo;
use crate::error::Error;
use crate::extract::{Build, Extractor, Sides};
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
    extractor.extract(sides, &|name| progress.stage(format!("building with {name}")))
}
