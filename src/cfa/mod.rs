//! The intermediate representation: programs, functions as control-flow automata, types, constants.
//!
//! In: what the driver wrote for one build of the client. Out: the same, with graph analyses, for
//! every later stage.
//!
//! **Invariant.** Nothing here knows rustc, cargo, a solver or an output format. What the
//! representation cannot say is an [`Op::Unsupported`] at its place, never left out.

mod function;
mod program;
mod types;

pub use function::*;
pub use program::*;
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
use ids;

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
    /// A local variable of a [`Function`]; 0 holds the return value, then come the parameters.
    LocalId
}
