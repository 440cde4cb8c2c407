//! What the user gets: the report as terminal text and as JSON, and progress while it is made.
//!
//! In: [`Checked`](crate::model::Checked). Out: text. **Invariant.** Only this stage knows formats; it
//! decides nothing about verdicts.
//!
//! - `assemble`: the document of what was checked, in the types of `schema`; `sentences` has its words.
//! - `terminal`: the report for people: `brief` where an upgrade is unknown, and else put together from `excerpts` (call sites, by their `places`
//!   in the user's `source`), `entries` (entry points), `paths` (how changed code is reached) and
//!   `advice` (what to do next).
//! - `replays`: kept tests that were run again, for people.
//! - `json`: all results for programs.
//! - `errors`: what ended a run, or one upgrade.
//! - `progress`: what the run is doing, on stderr; `log`: all of it, for those who ask.
//! - `reasons`: why something is undecided, in words; `native_runs`: why native runs tell nothing.
//! - `text`: colours, wrapping, columns, names.
//!
//! The result is for stdout. Everything else that people read is for stderr.

mod advice;
pub mod assemble;
mod brief;
mod entries;
pub mod errors;
mod excerpts;
pub mod json;
pub mod log;
mod native_runs;
mod paths;
mod places;
pub mod progress;
mod reasons;
pub mod replays;
#[cfg(test)]
mod samples;
pub mod schema;
mod sentences;
mod source;
pub mod terminal;
mod text;
