//! Terms about values, and whether they can be true.
//!
//! In: formulas over bits, built in an arena ([`Terms`]). Out: unsatisfiable, an assignment, or
//! unknown ([`Solver`]); of a system of Horn clauses, whether it is safe ([`HornSystem`]). Z3 runs in
//! processes of its own (`main.rs` and `z3/`, another crate), which `process` chooses between and
//! `worker` starts, limits and ends; `query` is what passes between them.
//!
//! **Invariant.** A term has one meaning, that of [`Terms::eval`]; simplification and both of Z3's
//! encodings keep it. What an encoding cannot say exactly is unknown, never approximated in silence.

mod horn;
mod process;
pub mod query;
mod term;
mod worker;

pub use horn::*;
pub use process::*;
pub use term::*;
