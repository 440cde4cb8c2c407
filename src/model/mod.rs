//! What the stages know of an upgrade, as data.
//!
//! A stage takes ids and returns new facts about them; none writes into what another one returned.
//! `check` puts the facts together into a [`CheckedUpgrade`] per upgrade, and `report` alone makes
//! sentences and JSON of that.
//!
//! - `verdict`: what is known of an entry point, with its evidence
//! - `not_run`: why native runs tell nothing
//! - `place`: where in the source something is, and the parts of the client that are shown
//! - `upgrade`: an upgrade with all that was found out about it
//!
//! **Invariant.** Nothing here is a sentence: names, places, numbers and enums only. What a native
//! run printed and what cargo said are quoted as they are.

mod not_run;
mod place;
mod upgrade;
mod verdict;

pub use not_run::{
    BuildFailure, NoOutcome, NoTarget, NotAllInputs, NotCallable, NotRun, NotWritable, WrongValue,
};
pub use place::{
    Boundary, BoundaryKind, ChangeKind, ChangedItem, ChangedPart, Extent, ItemKind, Owner,
    PathStep, SourceLines, SourceLocation, WhyItCounts,
};
pub use upgrade::{
    CallSiteId, Checked, CheckedCallSite, CheckedEntry, CheckedTarget, CheckedUpgrade,
    ClientTarget, Conclusion, Containment, EntryId, FunctionCounts, OpenBoundary, TargetKind,
    Times, ToolVersions, UpgradeOutcome, WhyOpen,
};
pub use verdict::{
    Counterexample, Decision, Engine, Incomplete, Observation, Parting, PartingCall, Proof,
    Unconfirmed, Undecided, Verdict,
};
