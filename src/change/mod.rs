//! What changed, and what of the client reaches it.
//!
//! In: the programs of one target of the client with the old and with the new version. Out:
//! [`Findings`]. `shape` says what a thing is apart from what it refers to (`body` does so for
//! code), `classes` which things are equal, `signature` which types in signatures only look so,
//! `compare` what itself changed, `reach` who reaches it.
//!
//! **Invariant.** What is called identical behaves the same on both sides, for all inputs.

mod body;
mod classes;
mod compare;
mod findings;
#[cfg(test)]
mod mutation_tests;
mod reach;
mod shape;
mod signature;
#[cfg(test)]
mod tests;

pub use classes::Class;
pub use compare::{Change, Pair, Side};
pub use findings::{CallSite, EntryPoint, Findings, Standing};
pub use reach::{Reach, Way, step};
pub use shape::Thing;
