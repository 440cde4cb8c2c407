//! Lets cargo move one dependency in a private lock file.

use std::{cell::Cell, fs, path::PathBuf};

use super::{
    client::{Client, absolute, parse_lock, read_lock},
    files,
    lockfile::{Lock, Locked},
    manifest::{ManifestChange, Replacement, normal},
    mirror::Mirror,
    request::Spec,
    side::BuildSide,
};
use crate::{cargo::Cargo, error::Error};

pub struct Resolver<'a> {
    pub cargo: &'a Cargo,
    pub client: &'a Client,
    mirror: Mirror<'a>,
    linked: Cell<bool>,
}

/// A dependency in a version, and the lock file that holds it there.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub package: Locked,
    /// The version for people; with its directory or repository where that was asked for.
    pub label: String,
    pub lockfile: PathBuf,
    pub lock: Lock,
    pub text: String,
    /// What the manifests must say for it.
    pub change: Option<ManifestChange>,
    /// What cargo's configuration must say for it.
    pub config: Vec<String>,
}

impl Resolved {
    /// Whether the lock file tells all that is different from the user's workspace. A directory or a
    /// repository can change without it.
    pub fn is_from_registry(&self) -> bool {
        let by_requirement =
            |change: &ManifestChange| matches!(change.to, Replacement::Requirement(_));
        self.config.is_empty() && self.change.as_ref().is_none_or(by_requirement)
    }
}

impl<'a> Resolver<'a> {
    pub fn new(cargo: &'a Cargo, client: &'a Client) -> Resolver<'a> {
        Resolver { cargo, client, mirror: Mirror::of(client), linked: Cell::new(false) }
    }

    /// The dependency as the user has it.
    pub fn locked(&self, package: &Locked) -> Resolved {
        Resolved {
            package: package.clone(),
            label: package.to_string(),
            lockfile: self.client.base.lockfile.clone(),
            lock: self.client.lock.clone(),
            text: self.client.lock_text.clone(),
            change: None,
            config: Vec::new(),
        }
    }

    /// The dependency as asked for, and everything else as in `start` as far as that is possible.
    pub fn resolve(&self, start: &Resolved, spec: &Spec) -> Result<Resolved, Error> {
        let locked = &start.package;
        match spec {
            Spec::Version(version) if locked.is_registry() && *version == locked.version => {
                Ok(start.clone())
            }
            Spec::Version(version) => self.to_version(start, version),
            Spec::Path(directory) => self.to_directory(start, spec, directory),
            Spec::Git { url, revision } => self.to_git(start, spec, url, revision.as_deref()),
        }
    }

    /// How cargo is told to build with this. Both sides of an upgrade are in the mirror, or none.
    pub fn side(&self, resolved: &Resolved, mirrored: bool) -> Result<BuildSide, Error> {
        let mut side = BuildSide {
            manifest_path: self.client.manifest_path.clone(),
            lockfile: resolved.lockfile.clone(),
            config: resolved.config.clone(),
            manifests: Vec::new(),
        };
        if mirrored {
            side.manifest_path = self.mirror.twin(&self.client.manifest_path);
            side.manifests = self.mirrored(resolved.change.as_ref())?.0;
        }
        Ok(side)
    }

    /// Keeps a lock file under a name of its own, made from what it was made from.
    pub fn keep(
        &self,
        start: &Resolved,
        package: Locked,
        text: String,
        key: &str,
    ) -> Result<Resolved, Error> {
        let lockfile = self.place(start, key, None)?;
        files::write_if_changed(&lockfile, &text)?;
        let lock = parse_lock(&lockfile, &text)?;
        let label = package.to_string();
        Ok(Resolved { package, label, lockfile, lock, text, change: None, config: Vec::new() })
    }

    /// Runs `cargo update` on a private copy of a lock file. Inner error: what cargo said.
    pub fn update(
        &self,
        text: &str,
        change: Option<&ManifestChange>,
        config: &[String],
        arguments: &[&str],
    ) -> Result<Result<(String, String), String>, Error> {
        let mut side = BuildSide {
            lockfile: self.work_lock(),
            config: config.to_vec(),
            ..self.client.base.clone()
        };
        if change.is_some() {
            side.manifest_path = self.mirror.twin(&side.manifest_path);
            side.manifests = self.mirrored(change)?.0;
        }
        files::write_if_changed(&side.lockfile, text)?;
        side.enter()?;
        let mut command = self.cargo.command_in(&self.client.place, "update");
        side.apply(&mut command).args(arguments);
        let output = self.cargo.run(command)?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Ok(Err(stderr));
        }
        Ok(Ok((read_lock(&side.lockfile)?.unwrap_or_default(), stderr)))
    }

    pub fn finish(
        &self,
        package: Locked,
        spec: Option<&Spec>,
        lockfile: PathBuf,
        text: String,
        change: Option<ManifestChange>,
        config: Vec<String>,
    ) -> Result<Resolved, Error> {
        let lock = parse_lock(&lockfile, &text)?;
        if !lock.packages.contains(&package) {
            let (name, version) = (package.name.clone(), package.to_string());
            return Err(Error::Conflict { name, version, detail: String::new() });
        }
        files::write_if_changed(&lockfile, &text)?;
        let label = match spec {
            Some(Spec::Path(directory)) => {
                format!("{} ({})", package.version, normal(&absolute(directory)?).display())
            }
            _ => package.to_string(),
        };
        Ok(Resolved { package, label, lockfile, lock, text, change, config })
    }

    pub fn mirrored(
        &self,
        change: Option<&ManifestChange>,
    ) -> Result<(Vec<(PathBuf, String)>, usize), Error> {
        if !self.linked.replace(true) {
            self.mirror.link()?;
        }
        self.mirror.manifests(change)
    }

    /// A place for the lock file that is the same whenever what it is made from is the same.
    pub fn place(
        &self,
        start: &Resolved,
        request: &str,
        extra: Option<&str>,
    ) -> Result<PathBuf, Error> {
        let manifests = self.client.own_packages().map(|package| &package.manifest_path);
        let manifests = manifests.filter_map(|path| fs::read_to_string(path).ok());
        let channel = self.cargo.toolchain.channel.clone();
        let parts = [channel, start.text.clone(), start.package.spec(), request.into()];
        let parts: Vec<String> =
            parts.into_iter().chain(extra.map(String::from)).chain(manifests).collect();
        let fingerprint = files::fingerprint(parts.iter().map(|part| part.as_bytes()));
        let name = format!("{}-{fingerprint}", start.package.name);
        Ok(self.client.private.join("locks").join(name).join("Cargo.lock"))
    }

    pub fn work_lock(&self) -> PathBuf {
        self.client.private.join("locks/work/Cargo.lock")
    }
}
