//! EQ: does a pair of functions or loops do the same on both sides?
//!
//! In: a [`Matched`] pair of code. Out: its [`PairVerdict`]. `context` has all that is made of the two programs once, `matching` says what belongs together,
//! `start` where both sides begin, `outcome` whether they end alike, `attempt` is one symbolic run of
//! both, `policy` decides which calls it enters, `unfold` says more of recursive calls, `abstraction`
//! leaves hard arithmetic open, `parts` refutes a difference part by part, `product` proves loops that
//! differ, `inputs` chooses values to try, `engines` names the engines and the parts of their schedule, `prover` follows it, `alike` says
//! which pairs need not be decided again, `parting` where two runs that differ part.
//!
//! **Invariant.** A pair is equal only if the solver refuted every difference and every path was
//! followed. Equality is partial: inputs on which one of the sides does not end are outside of it.
//! Calls of the pair under proof within itself are equal by induction on how deep they are nested.

mod abstraction;
mod alike;
mod attempt;
mod context;
mod engines;
mod inputs;
mod matching;
mod outcome;
mod parting;
mod parts;
mod policy;
mod product;
mod prover;
mod start;
mod unfold;

pub use attempt::{Inputs, STACK};
pub use context::Context;
pub use engines::{Attempt, Effort, Method, Needs, ProductMethod, ProductStep, Schedule, Trial};
pub use matching::{Matched, Matching};
pub use parting::parting;
pub use prover::{Ablation, Obstacle, PairVerdict, PairVerdicts, Prover};
