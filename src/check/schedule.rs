//! The order in which entry points are judged, and how long that may take.

use std::num::NonZero;
use std::time::Duration;

use crate::deadline::Deadline;
use crate::equiv::Budget;
use crate::interrupt;

/// A round over the entry points that are open: proofs, then native runs of what an interpreter saw
/// differ.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// How long the first candidates may take to be proved.
    candidate: Duration,
    /// How long an entry point may take.
    entry: Duration,
    /// Whether native runs on chosen inputs follow, for entry points that are still open.
    pub runs_inputs: bool,
    is_second: bool,
}

/// What differs shows soon, to an interpreter or in native runs: the time for long proofs is for the
/// rest.
pub const ROUNDS: [Round; 2] = [
    Round {
        candidate: Duration::from_secs(1),
        entry: Duration::from_secs(2),
        runs_inputs: true,
        is_second: false,
    },
    Round {
        candidate: Duration::from_secs(3),
        entry: Duration::from_secs(8),
        runs_inputs: false,
        is_second: true,
    },
];

/// How long proofs of an upgrade may take where the user sets no limit.
const PROVING: Duration = Duration::from_secs(120);

/// What a process of the solver may use, in bytes.
pub const SOLVER_MEMORY: u64 = 2 << 30;

impl Round {
    pub fn budget(&self, deadline: Deadline) -> Budget {
        let Round { candidate, entry, is_second, .. } = *self;
        Budget { candidate, entry, deadline, is_second }
    }
}

/// When proofs of the upgrade that is judged now have to be over.
pub fn deadline() -> Deadline {
    interrupt::deadline().unwrap_or_else(|| Deadline::after(PROVING))
}

/// How many entry points are judged at once: as many as the user asked for, or half of the cores,
/// because a question can keep two processes busy.
pub fn jobs(asked: Option<&str>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let asked: Option<isize> = asked.and_then(|it| it.parse().ok());
    match asked {
        Some(jobs) if jobs > 0 => jobs.unsigned_abs(),
        // As cargo counts.
        Some(fewer) => cores.saturating_sub(fewer.unsigned_abs()).max(1),
        None => (cores / 2).max(1),
    }
}
