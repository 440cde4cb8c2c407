//! Terms about values, and whether they can be true.
//!
//! In: formulas over bits, built in an arena ([`Terms`]). Out: unsatisfiable, an assignment, or
//! unknown ([`Solver`]); of a system of Horn clauses, whether it is safe ([`HornSystem`]). Z3 runs in
//! processes of its own (`main.rs` and `z3/`, another crate), which `process` chooses between and
//! `worker` starts, limits and ends; `query` is what passes between them. `dump` writes questions into
//! files, as `smtlib` puts them into the words of the standard.
//!
//! **Invariant.** A term has one meaning, that of [`Terms::eval`]; simplification and both of Z3's
//! encodings keep it. What an encoding cannot say exactly is unknown, never approximated in silence.

mod dump;
mod horn;
mod process;
pub mod query;
mod smtlib;
mod term;
mod worker;

pub use dump::{Dump, dump_queries};
pub use horn::*;
pub use process::*;
pub use term::*;
