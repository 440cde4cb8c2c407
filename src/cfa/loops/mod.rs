//! Takes loops out of functions: each becomes a function of its own that calls itself at its end.
//! Other parts that are to be looked at by themselves are taken out in the same way.
//!
//! In: a [`ReducibleCfa`](super::graph::ReducibleCfa). Out: an [`Extracted`], a body without cycles
//! and a [`LoopFunction`] for each loop and each [`Region`]. `regions` finds the parts around calls,
//! `extract` moves the edges, `interface` says which locals a loop reads and changes.
//!
//! **Invariant.** Every body that comes out is acyclic, clean-up included: every repetition is a
//! call, and one treatment serves calls, loops and recursion.

mod extract;
mod interface;
mod regions;
#[cfg(test)]
mod tests;

pub use extract::{Extracted, LoopFunction, add_exit_type, exit_type, extract};
pub use regions::{Region, around};
