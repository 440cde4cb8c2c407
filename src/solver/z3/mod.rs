//! Questions as Z3 has them, and its answers as the library has them.
//!
//! `bits` says terms with bit-vectors, and `floats` with floating-point numbers; `integers`, with
//! `numbers` and `arithmetic`, says them with unbounded integers, and `horn` does so for clauses.
//! Each goes over the terms in order, operands first, so that depth is no matter. `answer` asks Z3;
//! `script` asks it what a file in SMT-LIB asks.
//!
//! **Invariant.** Nothing that is said here is false of the terms: what cannot be said is refused,
//! but in `horn`, which says less.

mod answer;
mod arithmetic;
mod bits;
mod floats;
mod functions;
mod horn;
mod integers;
mod numbers;
mod script;

pub use answer::{answer, speaks_of_memory};
pub use script::answer_script;
