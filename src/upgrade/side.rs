//! One of the two builds of an upgrade, and how cargo is told about it.

use std::{
    collections::{BTreeSet, HashSet},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::{Deserialize, Serialize};

use super::{files, lockfile};
use crate::error::Error;

/// A workspace that cargo can build: the client with one version of the dependency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildSide {
    /// The user's own manifest, or its copy in the mirror.
    pub manifest_path: PathBuf,
    pub lockfile: PathBuf,
    /// Values for `--config`, besides the lock file.
    pub config: Vec<String>,
    /// The mirror's manifests for this side. Empty: the user's workspace serves as it is.
    pub manifests: Vec<(PathBuf, String)>,
}

impl BuildSide {
    /// Must come before cargo runs for this side: the other side's manifests may stand there.
    pub fn enter(&self) -> Result<(), Error> {
        for (path, content) in &self.manifests {
            files::write_if_changed(path, content)?;
        }
        Ok(())
    }

    /// The names of the packages that depend on those of the names given. None: it is not known.
    pub fn dependents(&self, on: &HashSet<String>) -> Option<BTreeSet<String>> {
        lockfile::dependents(&fs::read_to_string(&self.lockfile).ok()?, on).ok()
    }

    /// What every cargo command for this side must be given.
    pub fn args(&self) -> Vec<OsString> {
        let mut args = vec!["--manifest-path".into(), self.manifest_path.clone().into_os_string()];
        let lockfile = format!("resolver.lockfile-path={}", toml_string(&self.lockfile));
        for config in std::iter::once(&lockfile).chain(&self.config) {
            args.extend(["--config".into(), config.into()]);
        }
        args
    }

    pub fn apply<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.args(self.args())
    }
}

/// A path as a TOML string, whatever characters it has.
pub fn toml_string(path: &Path) -> String {
    toml_edit::Value::from(path.to_string_lossy().into_owned()).to_string()
}
