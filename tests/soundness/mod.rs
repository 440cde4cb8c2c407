//! What the two measures of soundness have in common: `mutants`, which changes what functions do,
//! and `interface`, which changes what callers reach.
//!
//! - `options`: how much is tried, and which
//! - `packages`: many pairs in a few packages, with a module each; compiling and judging them
//! - `document`: `docs/soundness.md`, of which each measure writes a section

pub mod document;
pub mod options;
pub mod packages;
