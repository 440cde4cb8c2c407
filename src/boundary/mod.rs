//! Impact boundaries: the smallest part of the client that swallows a change.
//!
//! In: the findings of one target, with its entry points and call sites that reach changed code.
//! Out: a verdict per entry point, and how far the change behind each call site can be felt. `search`
//! lists the candidates of a call site (2clever, section 4.1: Search*), `judge` checks them from the
//! entry points down (Check*), and `contain` says, when all else is known, which one contains each call
//! site.
//!
//! **Invariant.** An entry point is equivalent only if a candidate that contains it was proved
//! equal; what an interpreter showed to differ is only a suspicion until native builds have run it.

mod contain;
mod judge;
mod search;

pub use contain::contain;
pub use judge::{Judged, JudgedEntry, Resources, judge};
