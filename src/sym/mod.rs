//! Runs code on symbolic values.
//!
//! In: functions of a [`Program`](crate::cfa::Program), their arguments as [`Value`]s, a [`Policy`]
//! that says which calls are entered. Out: the states in which they end, and the conditions under
//! which a path could not be followed ([`IncompletePath`]).
//!
//! `value` has values and pointers, `memory` the state and its parts, `path` when it is come to, `shape`
//! what types mean for values, `leaves` the order of their parts, `constants`, `maker` and `bytes` values as they lie in memory, `code`
//! functions made ready to be run, `execute` the run itself, `places` what places are, `views` the forms
//! that memory is seen in, `callees` which functions a call may be of, `operations`, `floats`,
//! `pointers`, `intrinsics` and `blocks` what single operations mean, `std` where std's own code is not
//! run, `trace` what a run on known values did, `text` known values for people.
//!
//! **Invariant.** Every behaviour that the code has is among the states that come out, or under the
//! condition of a path: what cannot be represented ends a path with its reason and is never left
//! out. Code is taken to be free of undefined behaviour.

mod blocks;
mod bytes;
mod callees;
mod code;
mod constants;
mod execute;
mod floats;
mod intrinsics;
mod leaves;
mod maker;
mod memory;
mod operations;
mod path;
mod places;
mod pointers;
mod shape;
mod std;
mod text;
mod trace;
mod value;
mod views;

pub use code::{Acyclic, Code, Ready, ReadyLoop};
pub use execute::{
    Called, Endings, ExecutionLimits, Executor, Frame, IncompletePath, Policy, Record, Treatment,
};
pub use leaves::{Descent, Fields, Leaf, LeafWalk, Making, NanBits, Whole};
pub use memory::State;
pub use shape::{Kind, Shapes};
pub use trace::{Action, Activation, Event, Trace};
pub use value::{Choice, Meta, Object, PathElement, PointerTarget, Value, tag_width};
