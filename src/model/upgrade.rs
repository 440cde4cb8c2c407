//! An upgrade, with all that was found out about it.

use super::place::{Boundary, ChangedItem, Extent, PathStep};
use super::verdict::{Decision, Engine, Incomplete, Undecided, Verdict};
use crate::error::Error;
use crate::upgrade::{Client, Unused, Upgrade};

/// An entry point of one target of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub usize);

/// A call site in one target of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSiteId(pub usize);

/// A library or binary of the client. Binaries come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientTarget {
    pub package: String,
    pub kind: TargetKind,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetKind {
    Binary(String),
    Library,
}

/// What came of a plan.
#[derive(Debug)]
pub struct Checked<'p> {
    pub tool: ToolVersions,
    pub client: &'p Client,
    /// The name of the profile that the client was built with.
    pub profile: String,
    pub upgrades: Vec<(&'p Upgrade, CheckedUpgrade)>,
}

/// What the tool itself rests on.
#[derive(Clone, Debug)]
pub struct ToolVersions {
    pub toolchain: String,
    pub z3: String,
}

/// What came of one upgrade.
#[derive(Debug)]
pub struct CheckedUpgrade {
    pub outcome: UpgradeOutcome,
    pub functions: FunctionCounts,
    pub targets: Vec<CheckedTarget>,
    pub times: Times,
}

/// The answer, and what it follows from.
#[derive(Debug)]
pub enum UpgradeOutcome {
    Judged(Conclusion),
    /// There was nothing to build, for the reason that the plan gives: never a verdict.
    NotPlanned,
    /// It could not be judged: never a verdict.
    Failed(Error),
}

impl UpgradeOutcome {
    pub fn decision(&self) -> Decision {
        match self {
            UpgradeOutcome::Judged(conclusion) => conclusion.decision(),
            UpgradeOutcome::NotPlanned | UpgradeOutcome::Failed(_) => Decision::Unknown,
        }
    }
}

/// What the verdict on an upgrade follows from.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// The client's build contains nothing of what moves.
    NotInBuild(Unused),
    /// These were built with only one of the two versions.
    Unmatched(Vec<ClientTarget>),
    /// So many entry points were run and differ.
    Different {
        different: usize,
        of: usize,
    },
    /// So many entry points could not be decided, and none differs.
    Unknown {
        unknown: usize,
        of: usize,
    },
    /// What moves is built into these procedural macros of the workspace.
    InMacros(Vec<String>),
    NothingBuilt,
    /// The client has tests, examples and benches only.
    NoTarget,
    /// The client offers nothing to callers.
    NoEntryPoint,
    /// Every entry point is equivalent.
    Equivalent {
        /// Whether anything that changed can be reached.
        is_change_reached: bool,
        /// Whether inputs on which one version does not end are outside of a proof.
        is_partial: bool,
    },
}

impl Conclusion {
    /// What tells this apart from other causes, for programs. `docs/reasons.md` lists them.
    pub fn code(&self) -> &'static str {
        match self {
            Conclusion::NotInBuild(unused) => unused.code(),
            Conclusion::Unmatched(_) => "unmatched-targets",
            Conclusion::Different { .. } => "entries-differ",
            Conclusion::Unknown { .. } => "entries-unknown",
            Conclusion::InMacros(_) => "in-macros",
            Conclusion::NothingBuilt => "nothing-built",
            Conclusion::NoTarget => "no-target",
            Conclusion::NoEntryPoint => "no-entry-point",
            Conclusion::Equivalent { is_change_reached: false, .. } => "unreached",
            Conclusion::Equivalent { is_change_reached: true, .. } => "no-difference",
        }
    }

    pub fn decision(&self) -> Decision {
        match self {
            Conclusion::Different { .. } => Decision::Different,
            Conclusion::Unmatched(_)
            | Conclusion::Unknown { .. }
            | Conclusion::InMacros(_)
            | Conclusion::NothingBuilt => Decision::Unknown,
            Conclusion::NotInBuild(_)
            | Conclusion::NoTarget
            | Conclusion::NoEntryPoint
            | Conclusion::Equivalent { .. } => Decision::Equivalent,
        }
    }
}

/// Functions reachable from the client's entry points with the new version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionCounts {
    pub reachable: usize,
    /// Of those, the same as with the old version, with everything they can call.
    pub identical: usize,
    /// Of those, changed themselves or added.
    pub changed: usize,
}

/// In milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub extract: u64,
    pub compare: u64,
    pub prove: u64,
    /// Native builds and runs.
    pub run: u64,
    pub total: u64,
}

/// What was found out about one target of the client.
#[derive(Clone, Debug)]
pub struct CheckedTarget {
    pub target: ClientTarget,
    /// By [`EntryId`].
    pub entries: Vec<CheckedEntry>,
    /// By [`CallSiteId`].
    pub call_sites: Vec<CheckedCallSite>,
    pub changed: Vec<ChangedItem>,
}

#[derive(Clone, Debug)]
pub struct CheckedEntry {
    pub name: String,
    pub is_generic: bool,
    pub verdict: Verdict,
    /// How long engines took, in milliseconds.
    pub time: u64,
    /// The changed code that it reaches, each by a shortest path of calls; the entry comes first.
    pub reaches: Vec<Vec<PathStep>>,
}

#[derive(Clone, Debug)]
pub struct CheckedCallSite {
    pub caller: String,
    pub callee: String,
    pub extent: Extent,
    /// From the callee to the nearest changed code.
    pub path: Vec<PathStep>,
    pub containment: Containment,
}

/// How far the change behind a call site can be felt.
#[derive(Clone, Debug)]
pub enum Containment {
    /// Not outside of the boundary, the smallest that was proved.
    Contained { boundary: Boundary, engine: Engine },
    /// As far as a caller of the client.
    Escapes,
    /// Not known; with the smallest boundary that could neither be proved nor be shown to differ.
    Open(Option<OpenBoundary>),
}

#[derive(Clone, Debug)]
pub struct OpenBoundary {
    pub boundary: Boundary,
    pub why: WhyOpen,
}

/// Why a boundary could not be decided.
#[derive(Clone, Debug)]
pub enum WhyOpen {
    NotProved(Incomplete),
    /// Generic code is compared only as it stands.
    Generic,
    /// It is an entry point, and of that is known:
    Entry(Undecided),
}

impl WhyOpen {
    /// What tells this apart from other causes, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            WhyOpen::NotProved(incomplete) => incomplete.reason.code(),
            WhyOpen::Generic => "generic",
            WhyOpen::Entry(undecided) => undecided.code(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_conclusions_are_documented() {
        let equivalent =
            |is_change_reached| Conclusion::Equivalent { is_change_reached, is_partial: false };
        let all = [
            Conclusion::NotInBuild(Unused::OnlyDeveloped),
            Conclusion::NotInBuild(Unused::NotBuilt),
            Conclusion::Unmatched(Vec::new()),
            Conclusion::Different { different: 1, of: 1 },
            Conclusion::Unknown { unknown: 1, of: 1 },
            Conclusion::InMacros(Vec::new()),
            Conclusion::NothingBuilt,
            Conclusion::NoTarget,
            Conclusion::NoEntryPoint,
            equivalent(false),
            equivalent(true),
        ];
        let (_, documented) = include_str!("../../docs/reasons.md").split_once("## Up").unwrap();
        for conclusion in all {
            let row = format!("| `{}` |", conclusion.code());
            assert!(documented.contains(&row), "{row}");
        }
    }
}
