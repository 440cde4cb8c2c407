//! From a workspace to programs: runs the pinned cargo on one side of an upgrade, with the driver in
//! rustc's place for the client.
//!
//! In: a [`Side`](crate::upgrade::Side). Out: a [`Build`] with one program a target of the client.
//! `wrapper` is what cargo calls instead of rustc, `program_file` what passes from the driver to
//! here.
//!
//! **Invariant.** Everything is written below the tool's own directory. Nothing of cargo's own
//! output layout is read: what was built, cargo says in its messages.

mod build;
pub mod program_file;
pub mod wrapper;

pub use build::{Build, Extractor, Target};
