//! Where std's own code and form do not count: its cut points.
//!
//! Std's MIR is run like all other code, and its types are opened up like all others. A *cut point* is
//! an item of std at which that ends: what happens there instead stands in this directory, in place of
//! the body of a function or of the fields of a type. A cut point needs a reason: std depends there on
//! the allocator, on addresses, on words of the machine or on other threads, or its result is no
//! behaviour.
//!
//! [`CUT_POINTS`] has the functions, [`refusal`] the types. The driver says which items they are, by
//! [`StdFn`], [`StdType`] and [`Body`]; nothing here compares names. A new one takes a tag in
//! `cfa/std_items.rs`, the item's own name in the driver's `std_items.rs`, and a row here with its
//! reason; `panics` and `heap` have what the rows do.
//!
//! **Invariant.** What happens at a cut point is all that std can do there, or the path ends.

mod heap;
mod panics;

use super::execute::{Endings, Executor, Stop};
use super::memory::State;
use super::value::Value;
use crate::cfa::{Body, Function, StdFn, StdType, Type};
use crate::reason::{Reason, SharedState};

/// Functions of std that are not entered, and what happens in their place.
pub(super) struct CutPoint {
    at: At,
    /// Runs the call in a state that it takes the content of.
    pub run: fn(&mut Executor<'_, '_>, CutCall<'_>) -> CutResult,
}

/// How the call ends and what it returns, or why the path does.
type CutResult = Result<(Endings, Option<Value>), Stop>;

/// A call of a function that is a cut point.
pub(super) struct CutCall<'c> {
    pub function: &'c Function,
    pub state: &'c mut State,
}

/// How the driver says which functions a cut point is at.
enum At {
    Tagged(&'static [StdFn]),
    Panic,
    PanicWithMessage,
    AllocError,
}

/// All functions of std that are not entered.
const CUT_POINTS: &[CutPoint] = &[
    // A message is no behaviour: that there is a panic is all that shows.
    CutPoint { at: At::Panic, run: panics::begin },
    // Unless it is read or runs code, which std's own code would have to be followed for.
    CutPoint { at: At::PanicWithMessage, run: panics::refuse_message },
    // How much memory there is depends on more than the program.
    CutPoint { at: At::AllocError, run: heap::refuse_failure },
    // Which allocator there is, is only known when the program is linked.
    CutPoint {
        at: At::Tagged(&[
            StdFn::Alloc,
            StdFn::AllocZeroed,
            StdFn::Realloc,
            StdFn::Dealloc,
            StdFn::AllocatorShim,
        ]),
        run: heap::refuse,
    },
];

/// What happens at a call of the function, if it is not entered.
pub(super) fn cut_point(function: &Function) -> Option<&'static CutPoint> {
    CUT_POINTS.iter().find(|it| it.at.is(function))
}

/// Why no value of a type is taken apart, if none is.
pub(super) fn refusal(ty: &Type) -> Option<Reason> {
    match ty.std? {
        // What it holds at one time says nothing of what it holds at another.
        StdType::UnsafeCell => Some(SharedState::Cell.into()),
        StdType::Box
        | StdType::Rc
        | StdType::Arc
        | StdType::Vec
        | StdType::String
        | StdType::Option
        | StdType::NonZero
        | StdType::Duration => None,
    }
}

impl At {
    fn is(&self, function: &Function) -> bool {
        match self {
            At::Tagged(tags) => function.std.is_some_and(|tag| tags.contains(&tag)),
            At::Panic => matches!(function.body, Body::Panic),
            At::PanicWithMessage => matches!(function.body, Body::PanicWithMessage),
            At::AllocError => matches!(function.body, Body::AllocError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::samples::{U32, program, push};
    use crate::cfa::{FnId, Program};

    fn foreign(program: &mut Program, name: &str) -> FnId {
        push(program, name, 0, &[U32], Body::Foreign { symbol: name.to_owned() })
    }

    #[test]
    fn a_function_is_cut_by_what_the_driver_says_and_not_by_its_name() {
        let mut program = program();
        let own = foreign(&mut program, "alloc::alloc::__rust_alloc");
        let of_std = foreign(&mut program, "renamed");
        program.functions[of_std.index()].std = Some(StdFn::Alloc);
        assert!(cut_point(program.function(own)).is_none());
        assert!(cut_point(program.function(of_std)).is_some());
    }

    #[test]
    fn a_type_is_opened_up_unless_the_driver_says_that_it_is_a_cell() {
        let mut ty = program().ty(U32).clone();
        ty.name = "core::cell::UnsafeCell<u32>".to_owned();
        assert!(refusal(&ty).is_none());
        ty.std = Some(StdType::UnsafeCell);
        assert!(refusal(&ty).is_some());
    }
}
