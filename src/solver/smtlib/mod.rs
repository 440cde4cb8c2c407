//! Questions as SMT-LIB 2.6, for other solvers and for people.
//!
//! In: a query, and what is known of its answer. Out: the text of a script. `script` writes what
//! stands around the terms, `writer` the terms, `floats` those about floats, and `functions` defines
//! what terms have and the standard has not.
//!
//! **Invariant.** A script uses only what the standard and its theories define, and its terms have the
//! meaning of [`Terms::eval`](super::Terms::eval). It is no longer than the terms are many, but for
//! uninterpreted calls in Horn clauses, of which all pairs are related.

mod floats;
mod functions;
mod script;
mod writer;

pub use script::{Status, check, horn};
pub use writer::constant;
