//! Which upgrades: from the command line to pairs of buildable workspaces, old and new.
//!
//! In: the user's workspace and [`UpgradeRequest`]s. Out: a [`Plan`] with, for each [`Upgrade`], two
//! [`BuildSide`]s that cargo can build. **Invariant.** Nothing of the user's is written: lock files and
//! edited manifests are private copies under `target/cse/`. The one exception is
//! [`Combined::write`], which replaces Cargo.lock as a whole.
//!
//! - `request`: what can be asked for
//! - `client`: the user's workspace, the packages selected, the private directory
//! - `lockfile`: what a Cargo.lock says, and what differs between two
//! - `plan`: from requests to upgrades
//! - `resolve`: lets cargo move one dependency in a private lock file
//! - `versions`: to another version from the registry
//! - `sources`: to a directory or a git repository
//! - `manifest`: edits of one Cargo.toml, for versions that it does not allow
//! - `mirror`: the workspace again, with edited manifests and links to everything else
//! - `side`: one of the two builds, and how cargo is told about it
//! - `usage`: whether the client's build contains what moved, and whether the toolchain can build it
//! - `failure`: what cargo said, as our errors
//! - `combine`: several upgrades in one lock file, and writing it
//! - `binary`: a side with one more binary, for native runs
//! - `files`: whole files or nothing

mod binary;
mod client;
mod combine;
mod failure;
mod files;
mod lockfile;
mod manifest;
mod mirror;
mod plan;
mod request;
mod resolve;
mod side;
mod sources;
mod usage;
mod versions;

pub use binary::with_binary;
pub use client::{Client, ClientPackage};
pub use combine::{Combined, NotLockable, Skipped, combine};
pub use files::{create_directory, fingerprint, write_if_changed};
pub use lockfile::Moved;
pub use plan::{Plan, Upgrade, plan, plan_for};
pub use request::{Named, Spec, UpgradeRequest};
pub use side::BuildSide;
pub use usage::Unused;
