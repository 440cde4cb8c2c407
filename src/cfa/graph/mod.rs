//! What the shape of a function's automaton says, before anything looks at the operations on it.
//!
//! In: a [`Cfa`](super::Cfa). Out: [`Graph`] (who leads where), and over it [`DominatorTree`] (what
//! every path passes), [`components()`] (what is on a cycle together), [`Loops`] and [`ReducibleCfa`]
//! (every cycle has one way in).
//!
//! **Invariant.** Everything here is linear, or linear but for a logarithm or the nesting depth, so
//! that no later stage has to be careful about asking.

mod adjacency;
mod components;
mod dominators;
mod natural_loops;
mod reading_order;
mod reducible;
#[cfg(test)]
pub(super) mod testing;

pub use adjacency::{Graph, Step};
pub use components::components;
pub use dominators::DominatorTree;
pub use natural_loops::{Loop, Loops};
pub use reducible::{Irreducible, ReducibleCfa};
