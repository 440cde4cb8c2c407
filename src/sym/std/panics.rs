//! Where panics begin.

use super::super::execute::{Endings, Executor, Stop};
use super::super::text::item_name;
use super::{CutCall, CutResult};
use crate::reason::Reason;

/// The call ends in a panic.
pub fn begin(_: &mut Executor<'_, '_>, call: CutCall<'_>) -> CutResult {
    Ok((Endings { panicked: Some(call.state.clone()), ..Endings::default() }, None))
}

/// Ends the path where someone reads the message, or it runs code.
pub fn refuse_message(_: &mut Executor<'_, '_>, call: CutCall<'_>) -> CutResult {
    Err(Stop::IncompletePath(Reason::Intrinsic(item_name(call.function).into())))
}
