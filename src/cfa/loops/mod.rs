//! Takes loops out of functions: each becomes a function of its own that calls itself at its end.
//!
//! In: a [`ReducibleCfa`](super::graph::ReducibleCfa). Out: an [`Extracted`], a body without cycles
//! and a [`LoopFunction`] for each loop. `extract` moves the edges, `interface` says which locals a
//! loop reads and changes.
//!
//! **Invariant.** Every body that comes out is acyclic, clean-up included: every repetition is a
//! call, and one treatment serves calls, loops and recursion.

mod extract;
mod interface;
#[cfg(test)]
mod tests;

pub use extract::{Extracted, LoopFunction, exit_type, extract};
