//! The order in which engines try to decide entry points, and how long that may take.
//!
//! All of it can be read here. What is identical in normal form was found before, by the comparison; then
//! come [`ROUNDS`], each with the attempts at what is open and native runs after them.

use std::num::NonZero;
use std::time::Duration;

use crate::deadline::Deadline;
use crate::equiv::{Attempt, Effort, Method, Needs, ProductMethod, ProductStep, Schedule, Trial};
use crate::interrupt;

/// A round over the entry points that are open: attempts to prove them, then native runs of what an
/// interpreter saw differ.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    pub proving: Schedule,
    /// Whether native runs on chosen inputs follow, and on all inputs where these are few, for entry
    /// points that are still open.
    pub runs_inputs: bool,
}

/// What differs shows soon, to an interpreter or in native runs: the time for long proofs is for the
/// rest.
pub const ROUNDS: [Round; 2] = [
    Round {
        proving: Schedule {
            candidate: Duration::from_secs(1),
            entry: Duration::from_secs(2),
            attempts: ATTEMPTS,
            is_repeated: false,
        },
        runs_inputs: true,
    },
    Round {
        proving: Schedule {
            candidate: Duration::from_secs(3),
            entry: Duration::from_secs(8),
            attempts: ATTEMPTS,
            is_repeated: true,
        },
        runs_inputs: false,
    },
];

/// The attempts at a pair, in the order of trying. All have a short time first: most of what one can do, it
/// does soon.
const ATTEMPTS: &[Attempt] = &[
    // Decides all that has no loops, and what is beside loops that are the same.
    Attempt { needs: Needs::Nothing, ..long(Method::Summary(A_FEW_INPUTS), 1) },
    // Few iterations show most differences, and all that short loops do.
    short(Method::Unroll(2)),
    Attempt { share: 8, least: PRODUCT_LEAST, ..short(PRODUCT) },
    short(Method::Unroll(10)),
    short(Method::Unroll(24)),
    // What differs only on inputs that lead to many iterations costs an interpreter the least.
    long(Method::Inputs(MANY_SMALL_INPUTS), 1),
    long(Method::Unroll(10), 8),
    // Most loops that are left are proved by it, if at all.
    Attempt { least: PRODUCT_LEAST, ..long(PRODUCT, 2) },
    long(Method::Unroll(10), 3),
    long(Method::Unroll(24), 3),
    // Nothing comes after it: it may use up the time.
    long(Method::Unroll(70), 1),
];

/// How loops are related, in the order of trying.
const PRODUCT: Method = Method::Product(&[
    // Costs a question or two, and says all there is to say of a loop.
    ProductStep { method: ProductMethod::ClosedForms, share: 3 },
    // Fewer facts are checked faster.
    ProductStep { method: ProductMethod::Facts(Effort::Strongest), share: 1 },
    ProductStep { method: ProductMethod::Facts(Effort::All), share: 1 },
    // May not end: last.
    ProductStep { method: ProductMethod::HornClauses, share: 1 },
]);

/// Before the solver is first asked.
const A_FEW_INPUTS: Trial =
    Trial { inputs: 300, time: Duration::from_millis(40), steps: 3_000, only_small: false };
/// Where these showed nothing.
const MANY_SMALL_INPUTS: Trial =
    Trial { inputs: 3_000, time: Duration::from_millis(250), steps: 30_000, only_small: true };

/// In less time hardly anything is found.
const LEAST: Duration = Duration::from_millis(400);
/// What it found when its time is over is lost.
const PRODUCT_LEAST: Duration = Duration::from_millis(800);

/// How long proofs of an upgrade may take where the user sets no limit.
const PROVING: Duration = Duration::from_secs(120);

/// What a process of the solver may use, in bytes.
pub const SOLVER_MEMORY: u64 = 2 << 30;

const fn short(method: Method) -> Attempt {
    Attempt { method, needs: Needs::OpenLoops, share: 10, least: LEAST, is_short: true }
}

const fn long(method: Method, share: u32) -> Attempt {
    Attempt { method, needs: Needs::OpenLoops, share, least: LEAST, is_short: false }
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
