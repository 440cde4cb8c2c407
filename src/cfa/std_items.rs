//! The items of the standard library that stages know by more than their code and their shape. The
//! driver says which they are: an item of a user's is none of them, whatever its name is.

use serde::{Deserialize, Serialize};

/// A function of the standard library, by what it is known for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StdFn {
    /// `__rust_alloc`: asks the allocator for memory.
    Alloc,
    /// `__rust_alloc_zeroed`: asks the allocator for memory that is zero.
    AllocZeroed,
    /// `__rust_realloc`: asks the allocator for more or less memory in place of some that it gave.
    Realloc,
    /// `__rust_dealloc`: gives memory back to the allocator.
    Dealloc,
    /// Is called before memory is asked for, so that an allocator is linked, and does nothing.
    AllocatorShim,
    /// `hint::unreachable_unchecked`: control is promised not to come here.
    UnreachableUnchecked,
    /// Pairs a value with the function that formats it, or puts such pairs together to an
    /// `fmt::Arguments`; it formats nothing itself.
    FormatArguments,
    /// Pairs a pointer with the function that shows its address, for `{:p}`.
    FormatPointer,
    /// Gives an address as a number, compares two, or says how one is aligned.
    QueryAddress,
    /// Makes a text, a hash or an order of an address, as a method of such a trait.
    ShowAddress,
    /// `mem::transmute_copy` and the like: sees a value of the first type argument as one of the
    /// second.
    Transmute,
}

/// A type of the standard library, by what it is known for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StdType {
    /// `cell::UnsafeCell`: its content can change behind a shared reference.
    UnsafeCell,
    Box,
    Rc,
    Arc,
    Vec,
    String,
    Option,
    /// `num::NonZero`.
    NonZero,
    /// `time::Duration`.
    Duration,
}

impl StdFn {
    /// Whether it only puts parts of a message together. To format one runs the user's code.
    pub fn builds_message(self) -> bool {
        matches!(self, StdFn::FormatArguments | StdFn::FormatPointer)
    }

    /// Whether whoever calls it gets to know something of an address.
    pub fn tells_address(self) -> bool {
        matches!(self, StdFn::QueryAddress | StdFn::FormatPointer)
    }
}
