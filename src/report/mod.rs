//! What the user gets: the report as terminal text and as JSON, and progress while it is made.
//!
//! In: a [`schema::Report`]. Out: text. **Invariant.** Only this stage knows formats; it decides
//! nothing about verdicts.

pub mod schema;
