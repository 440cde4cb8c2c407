//! The exit codes, which are a promise to scripts.

use crate::report::schema::{Replays, Report, Verdict};

/// How a run of `cargo cse` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Every upgrade is equivalent.
    Equivalent = 0,
    /// The command line could not be understood.
    Usage = 2,
    /// An upgrade is different.
    Different = 100,
    /// The run could not be completed, for at least one upgrade, and none is known to be different.
    Incomplete = 101,
    /// An upgrade is unknown, and none is different.
    Unknown = 102,
}

impl Exit {
    pub fn of(report: &Report) -> Exit {
        let upgrades = &report.upgrades;
        if upgrades.iter().any(|upgrade| upgrade.verdict == Verdict::Different) {
            Exit::Different
        } else if upgrades.iter().any(|upgrade| upgrade.error.is_some()) {
            Exit::Incomplete
        } else if upgrades.iter().any(|upgrade| upgrade.verdict == Verdict::Unknown) {
            Exit::Unknown
        } else {
            Exit::Equivalent
        }
    }

    /// For `cargo cse replay`: a test that still differs, then one that could not be run.
    pub fn of_replays(replays: &Replays) -> Exit {
        if replays.tests.iter().any(|test| test.differs == Some(true)) {
            Exit::Different
        } else if replays.tests.iter().any(|test| test.differs.is_none()) {
            Exit::Incomplete
        } else {
            Exit::Equivalent
        }
    }
}
