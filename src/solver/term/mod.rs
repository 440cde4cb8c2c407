//! Terms: hash-consed, simplified as they are built, with one meaning each.
//!
//! `node` says which terms there are, `arena` holds them, `meaning` says what each operator does to
//! values. The builder is in `boolean`, `equal`, `bits`, `compare`, `slice`, `pieces` and `float`;
//! `walk` goes over terms.
//!
//! **Invariant.** A term's operands were built before it, so that going over terms in the order of
//! their numbers meets operands first: no traversal here recurses, however deep a term is. The rules
//! of the builder look at a bounded neighbourhood only.

mod arena;
mod bits;
mod boolean;
mod compare;
mod equal;
mod float;
mod meaning;
mod node;
mod pieces;
mod slice;
#[cfg(test)]
mod tests;
mod walk;

pub use arena::Terms;
pub use node::*;
pub use walk::Assignment;
