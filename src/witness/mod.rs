//! From concrete arguments of an entry point to a native difference that was seen.
//!
//! In: an entry point of the client and arguments as an engine has them. Out: a
//! [`Counterexample`](crate::model::Counterexample) that ran, and is kept as a test.
//!
//! - `value`: arguments as they are run; `inputs` makes them from what engines give, and back
//! - `shape`: how values of a type are written in Rust from outside of the client
//! - `expression`: a value as a Rust expression that people can read
//! - `decode`: Rust code that reads values from words, so that one build serves many inputs
//! - `view`: Rust code that prints what came out, part by part
//! - `source`: the generated program; `runtime.rs` is the part that is always the same
//! - `build`: builds it, once a side, as the client's own binaries are built
//! - `process`: runs it, within limits
//! - `outcome`: what a run did, and whether two did the same
//! - `harness`: all of these together, for one upgrade and one target
//! - `shrink`: towards inputs that are small and easy to read
//! - `domain`: all inputs of a small domain
//! - `addresses`: code of which native runs tell nothing, because it looks at addresses
//! - `kept`: tests that stay, for `cargo cse replay`
//!
//! **Invariant.** Nothing is called a difference that did not show in native runs of both builds,
//! each of which did the same whenever it was repeated.

mod addresses;
mod build;
mod decode;
mod domain;
mod expression;
mod harness;
mod inputs;
mod kept;
mod outcome;
mod process;
mod shape;
mod shrink;
mod source;
mod value;
mod view;

pub use addresses::looks_at_addresses;
pub use domain::{Domain, Exhausted};
pub use harness::Harness;
pub use inputs::{arguments, inputs};
pub use kept::{Kept, Replayed, ReplayedTest, kept_tests, replay};
pub use process::ProcessLimits;
pub use value::{Concrete, Invocation, Replay};
