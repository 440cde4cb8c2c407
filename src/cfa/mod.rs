//! The intermediate representation: programs, functions as control-flow automata, types, constants.
//!
//! In: what the driver wrote for one build of the client. Out: the same for every later stage, with
//! what is to be known about one function at a time: the shape of its automaton (`graph`), which
//! locals matter where (`liveness`), its loops as functions (`loops`), its text (`print`). What is special
//! about items of the compiler and of std is said by [`Intrinsic`], [`StdFn`] and [`StdType`].
//!
//! **Invariant.** Nothing here knows rustc, cargo, a solver or an output format. What the
//! representation cannot say is an [`Op::Unsupported`] at its place, never left out.

mod function;
pub mod graph;
mod intrinsics;
pub mod liveness;
pub mod loops;
pub mod normalize;
mod outside;
pub mod print;
mod program;
#[cfg(test)]
pub mod samples;
mod std_items;
#[cfg(test)]
pub mod testing;
mod types;
pub mod visit;

pub use function::*;
pub use intrinsics::*;
pub use outside::*;
pub use program::*;
pub use std_items::*;
pub use types::*;

/// Declares index types, so that a type cannot be looked up in the table of functions.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A function of a [`Program`].
    FnId
    /// A type of a [`Program`].
    TyId
    /// A constant's memory in a [`Program`].
    MemoryId
    /// A static of a [`Program`].
    StaticId
    /// A vtable of a [`Program`].
    VTableId
    /// A crate of a [`Program`].
    CrateId
    /// A source file of a [`Program`].
    FileId
    /// A location of a [`Cfa`].
    Location
    /// An edge of a [`Cfa`], by its place in [`Cfa::edges`].
    EdgeId
    /// A loop of a [`Function`], once it is a function of its own.
    LoopId
    /// A local variable of a [`Function`]; 0 holds the return value, then come the parameters.
    LocalId
}
