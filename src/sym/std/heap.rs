//! The allocator.

use super::super::execute::{Executor, Stop};
use super::{CutCall, CutResult};
use crate::reason::HeapUse;

/// Ends the path where memory is asked for or given back.
pub fn refuse(_: &mut Executor<'_, '_>, _: CutCall<'_>) -> CutResult {
    Err(Stop::IncompletePath(HeapUse::Allocator.into()))
}

/// Ends the path where there is no memory left.
pub fn refuse_failure(_: &mut Executor<'_, '_>, _: CutCall<'_>) -> CutResult {
    Err(Stop::IncompletePath(HeapUse::FailedAllocation.into()))
}
