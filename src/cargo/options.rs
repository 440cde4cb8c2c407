//! What the user asks of cargo.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Cargo's own flags, with cargo's own meaning.
#[derive(Clone, Debug, Default)]
pub struct CargoOptions {
    pub packages: PackageSelection,
    /// Only the library.
    pub lib: bool,
    /// Only these binaries.
    pub bin: Vec<String>,
    pub build: BuildOptions,
    /// The triple that the client is built for.
    pub target: Option<String>,
    pub target_dir: Option<PathBuf>,
    /// As cargo reads it: a number below zero is counted from the number of cores.
    pub jobs: Option<String>,
    pub manifest_path: Option<PathBuf>,
    pub locked: bool,
    pub offline: bool,
}

/// Which members of the workspace are checked.
#[derive(Clone, Debug, Default)]
pub struct PackageSelection {
    /// All, and not only those that cargo builds by default.
    pub all: bool,
    /// Only these.
    pub named: Vec<String>,
    pub excluded: Vec<String>,
}

/// How the client is built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BuildOptions {
    pub features: Vec<String>,
    pub all_features: bool,
    pub no_default_features: bool,
    pub release: bool,
    pub profile: Option<String>,
}

impl BuildOptions {
    /// The name of the profile that cargo builds with.
    pub fn profile_name(&self) -> &str {
        match &self.profile {
            Some(profile) => profile,
            None if self.release => "release",
            None => "dev",
        }
    }
}
