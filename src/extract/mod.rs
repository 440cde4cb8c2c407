//! From a workspace to programs: runs the pinned cargo on one side of an upgrade, with the driver in
//! rustc's place for the client.
//!
//! In: the two [`BuildSide`](crate::upgrade::BuildSide)s. Out: a [`Build`] of each, with one program per
//! target of the client. `wrapper` is what cargo calls instead of rustc, `settings` what it reads from rustc's
//! flags, `program_file` what passes from the driver to here, and `background` lets the driver of the
//! old side work while cargo builds the new one. `foreign` tells whether both are linked with the same
//! code that is not Rust.
//!
//! **Invariant.** Everything is written below the tool's own directory. Nothing of cargo's own
//! output layout is read: what was built, cargo says in its messages.

pub mod background;
mod build;
mod foreign;
pub mod program_file;
pub mod settings;
pub mod wrapper;

pub use build::{Build, BuildProgress, BuiltTarget, Extractor, Sides};
pub use foreign::foreign_code_moves;
