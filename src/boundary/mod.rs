//! Impact boundaries: the smallest part of the client that swallows a change.
//!
//! In: the findings of one target, with its entry points and call sites that reach changed code.
//! Out: the same, with what could be proved or refuted of each. `search` lists the candidates of a
//! call site (2clever, Search*), `judge` checks them (Check*) and writes down what came out.
//!
//! **Invariant.** An entry point is equivalent only if a candidate that contains it was proved
//! equal; what an interpreter showed to differ is only a suspicion until native builds have run it.

mod judge;
mod search;

pub use judge::{ENDLESS, Judged, Means, Suspicion, Undecided, judge, proved};
