//! From the verdicts on entry points to that on the upgrade.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::Target;

use crate::change::FunctionStatus;
use crate::extract::Build;
use crate::model::{CheckedTarget, ClientTarget, Conclusion, Decision, FunctionCounts, Verdict};
use crate::upgrade::{ClientPackage, Plan};

/// What of two builds cannot be compared.
pub struct Differences {
    /// Built with only one of the two versions.
    unmatched: Vec<ClientTarget>,
    /// Procedural macros of the client into which something that moves is built.
    macros: BTreeSet<String>,
}

impl Differences {
    pub fn between(old: &Build, new: &Build) -> Differences {
        let missing = |of: &Build, other: &Build| {
            let names = of.targets.iter().map(|it| it.name.clone());
            let missing = names.filter(|name| !other.targets.iter().any(|it| it.name == *name));
            missing.collect::<Vec<_>>()
        };
        let macros = old.macros.symmetric_difference(&new.macros);
        Differences {
            unmatched: [missing(new, old), missing(old, new)].concat(),
            macros: macros.map(|(name, _)| name.clone()).collect(),
        }
    }
}

/// What is known of all targets makes one verdict: a difference counts more than what is open.
pub fn conclude(
    targets: &[CheckedTarget],
    functions: &FunctionCounts,
    differences: Differences,
    plan: &Plan,
) -> Conclusion {
    let Differences { unmatched, macros } = differences;
    let verdicts: Vec<&Verdict> =
        targets.iter().flat_map(|it| &it.entries).map(|entry| &entry.verdict).collect();
    let with = |decision| verdicts.iter().filter(|it| it.decision() == decision).count();
    let (unknown, different) = (with(Decision::Unknown), with(Decision::Different));
    let of = verdicts.len();
    if !unmatched.is_empty() {
        Conclusion::Unmatched(unmatched)
    } else if different > 0 {
        Conclusion::Different { different, of }
    } else if unknown > 0 {
        Conclusion::Unknown { unknown, of }
    } else if !macros.is_empty() {
        Conclusion::InMacros(macros.into_iter().collect())
    } else if targets.is_empty() && plan.client.packages.iter().any(has_code) {
        Conclusion::NothingBuilt
    } else if targets.is_empty() {
        Conclusion::NoTarget
    } else if verdicts.is_empty() {
        Conclusion::NoEntryPoint
    } else {
        let is_partial =
            |verdict: &&Verdict| matches!(verdict, Verdict::Equivalent(proof) if proof.is_partial);
        Conclusion::Equivalent {
            is_change_reached: functions.changed > 0,
            is_partial: verdicts.iter().any(is_partial),
        }
    }
}

/// A function that several targets share counts once.
pub fn counts(functions: &BTreeMap<String, FunctionStatus>) -> FunctionCounts {
    let count = |standing: FunctionStatus| functions.values().filter(|it| **it == standing).count();
    FunctionCounts {
        reachable: functions.len(),
        identical: count(FunctionStatus::Identical),
        changed: count(FunctionStatus::Changed),
    }
}

/// Whether a package has more than tests, examples, benches, a build script and a macro.
fn has_code(package: &ClientPackage) -> bool {
    let others = |target: &Target| {
        target.is_test()
            || target.is_example()
            || target.is_bench()
            || target.is_custom_build()
            || target.is_proc_macro()
    };
    !package.targets.iter().all(others)
}
