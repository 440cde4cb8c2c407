//! Functions as text, for people: one version, two beside each other, and as a graph.
//!
//! In: functions of one or two programs. Out: text. `scope` knows names and types, `constant`,
//! `place` and `operation` write the parts of an edge, `lines` a whole function; `compare` aligns
//! two of them for `columns` and `dot`.
//!
//! **Invariant.** What is abbreviated has a fingerprint, so that content that differs does not look
//! the same. Not shown are the types of temporaries and of numbers, places for results of type `()`,
//! and what no path reaches.

mod columns;
mod compare;
mod constant;
mod dot;
mod lines;
mod operation;
mod place;
mod scope;
#[cfg(test)]
mod tests;

pub use columns::{side_by_side, texts_side_by_side};
pub use dot::dot;
pub use lines::{extracted, function};

/// A function in one of two programs.
pub type Code<'a> = (&'a super::Program, &'a super::Function);
