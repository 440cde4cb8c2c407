//! What changed, and what of the client reaches it.
//!
//! In: the programs of one target of the client with the old and with the new version. Out:
//! [`Findings`]. `moved` gives what stands elsewhere now one name, `digest` says what an item is apart from what it refers to (`body` does so for
//! code), `classes` which items are equal, `signature` which types in signatures only look so,
//! `compare` what itself changed, `reach` who reaches it.
//!
//! **Invariant.** What is called identical behaves the same on both sides, for all inputs.

mod body;
mod classes;
mod compare;
mod digest;
mod findings;
mod moved;
#[cfg(test)]
mod mutation_tests;
mod reach;
mod signature;
#[cfg(test)]
mod tests;

pub use classes::Class;
pub use compare::{Change, ComparedProgram, Pair};
pub use digest::Item;
pub use findings::{CallSite, EntryPoint, Findings, FunctionStatus};
pub use moved::follow_moves;
pub use reach::{ChangePath, Reach, step};
