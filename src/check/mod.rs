//! From upgrades to verdicts: the one stage that knows all others.
//!
//! In: a [`Plan`](crate::upgrade::Plan). Out: a [`Checked`](crate::model::Checked), with a
//! [`CheckedUpgrade`](crate::model::CheckedUpgrade) per upgrade.
//!
//! - `upgrade`: one upgrade after the other; what keeps one from being judged does not stop the others
//! - `builds`: both versions of the client's programs
//! - `target`: one target of the client: comparison, then rounds of proving and refuting
//! - `schedule`: the rounds, and how long each may take
//! - `refute`: native runs of what may differ
//! - `conclude`: from the verdicts on entry points to that on the upgrade
//!
//! **Invariant.** A failure is never a verdict, and only a native run makes something different.

mod builds;
mod conclude;
mod refute;
mod schedule;
mod target;
mod upgrade;

pub use builds::builds;
pub use upgrade::{check, is_equivalent};
