//! Both versions of the client's programs.

use std::collections::HashSet;

use crate::cargo::Cargo;
use crate::error::Error;
use crate::extract::{Build, Extractor, Sides};
use crate::report::progress::Progress;
use crate::upgrade::{Plan, Side, Upgrade};

/// The two builds of an upgrade.
pub fn builds(
    cargo: &Cargo,
    plan: &Plan,
    planned: &Upgrade,
    progress: &Progress,
) -> Result<[Build; 2], Error> {
    let names = [&planned.from, &planned.to].map(|it| format!("{} {it}", planned.dependency));
    let sides = Sides {
        sides: [&planned.old, &planned.new],
        names: [&names[0], &names[1]],
        moving: &planned.moving(),
    };
    build(cargo, plan, &sides, progress)
}

/// The builds of the client as it is locked and of another side, in which `moving` packages move.
pub fn builds_of_side(
    cargo: &Cargo,
    plan: &Plan,
    new: &Side,
    moving: &HashSet<String>,
    progress: &Progress,
) -> Result<[Build; 2], Error> {
    let what = "all upgrades together";
    let sides = Sides { sides: [&plan.client.base, new], names: [what, what], moving };
    build(cargo, plan, &sides, progress)
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
