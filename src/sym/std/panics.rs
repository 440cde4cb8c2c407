//! Where panics begin.

use super::super::execute::{Ended, Executor, Stop};
use super::super::text::item_name;
use super::{CutCall, Outcome};
use crate::reason::Reason;

/// The call ends in a panic.
pub fn begin(_: &mut Executor<'_, '_>, call: CutCall<'_>) -> Outcome {
    Ok((Ended { panicked: Some(call.state.clone()), ..Ended::default() }, None))
}

/// Ends the path where someone reads the message, or it runs code.
pub fn refuse_message(_: &mut Executor<'_, '_>, call: CutCall<'_>) -> Outcome {
    Err(Stop::Halt(Reason::Intrinsic(item_name(call.function).into())))
}
