//! To a directory or a git repository.

use std::{
    fs,
    path::{Path, PathBuf},
};

use semver::Version;
use toml_edit::DocumentMut;

use super::{
    client::{absolute, parse_lock, read_lock},
    failure,
    lockfile::{Lock, Locked, compatible},
    manifest::{ManifestChange, Replacement, normal, same_url},
    request::Spec,
    resolve::{Resolved, Resolver},
    side::toml_string,
};
use crate::error::Error;

impl Resolver<'_> {
    pub fn to_directory(
        &self,
        start: &Resolved,
        spec: &Spec,
        directory: &Path,
    ) -> Result<Resolved, Error> {
        let directory = package_directory(directory, &start.package.name)?;
        let manifest = fs::read_to_string(directory.join("Cargo.toml")).unwrap_or_default();
        let config = [("path", toml_string(&directory))];
        self.to_source(start, spec, &config, Replacement::Path(directory), Some(&manifest))
    }

    pub fn to_git(
        &self,
        start: &Resolved,
        spec: &Spec,
        url: &str,
        revision: Option<&str>,
    ) -> Result<Resolved, Error> {
        if start.package.git_url().is_some_and(|own| same_url(own, url)) {
            return self.to_revision(start, spec, revision);
        }
        let quoted = |text: &str| toml_edit::Value::from(text).to_string();
        let resolve = |kind: &str| {
            let mut config = vec![("git", quoted(url))];
            config.extend(revision.map(|revision| (kind, quoted(revision))));
            let reference = revision.map(|revision| (kind.to_string(), revision.to_string()));
            let change = Replacement::Git(url.into(), reference);
            // A branch or a tag may have moved since; a commit cannot.
            let commit = revision
                .is_some_and(|it| it.len() == 40 && it.bytes().all(|b| b.is_ascii_hexdigit()));
            self.to_source(start, spec, &config, change, commit.then_some(""))
        };
        // Cargo finds commits and tags as `rev`.
        match resolve("rev") {
            Err(error @ Error::NoSuchRevision { .. }) => resolve("branch").map_err(|_| error),
            resolved => resolved,
        }
    }

    /// Within the repository that the dependency comes from anyway, which cannot be a patch of itself.
    fn to_revision(
        &self,
        start: &Resolved,
        spec: &Spec,
        revision: Option<&str>,
    ) -> Result<Resolved, Error> {
        let locked = &start.package;
        let Some(revision) = revision else {
            return self.newest(start);
        };
        let arguments = ["-p", &locked.spec(), "--precise", revision];
        let error = match self.update(&start.text, None, &[], &arguments)? {
            Ok((text, _)) => return self.moved(start, text, revision),
            Err(stderr) => failure::of_moving(locked, Some(spec), &stderr),
        };
        // Cargo has fetched no other branch than the one that the manifests name.
        let url = locked.git_url().unwrap_or_default();
        let found =
            |lock: &Lock| lock.named(&locked.name).find(|it| it.git_url() == Some(url)).cloned();
        for kind in ["rev", "branch"] {
            let reference = Some((kind.to_string(), revision.to_string()));
            let to = Replacement::Git(url.into(), reference);
            let change = ManifestChange { locked: locked.clone(), to };
            if let Ok(resolved) = self.to_changed(start, spec, change, None, found) {
                return Ok(resolved);
            }
        }
        Err(error)
    }

    /// To a directory or a repository: by a patch of the dependency's registry or repository, so
    /// that everything that depends on it gets it; a path dependency is replaced where it is named.
    fn to_source(
        &self,
        start: &Resolved,
        spec: &Spec,
        patch: &[(&str, String)],
        replacement: Replacement,
        stable: Option<&str>,
    ) -> Result<Resolved, Error> {
        let locked = &start.package;
        let url = match spec {
            Spec::Git { url, .. } => Some(url.as_str()),
            _ => None,
        };
        let is_it = |package: &&Locked| package.name == locked.name && package.git_url() == url;
        // Another version of the package may be there all along.
        let found = |lock: &Lock| {
            let those = || lock.packages.iter().filter(is_it);
            let new = those().find(|package| !start.lock.packages.contains(package));
            let same = || those().find(|package| *package == locked);
            new.or_else(same).or_else(|| those().next()).cloned()
        };
        let Some(table) = locked.patch_table() else {
            let change = ManifestChange { locked: locked.clone(), to: replacement };
            return self.to_changed(start, spec, change, stable, found);
        };
        let entry =
            |(key, value): &(&str, String)| format!("patch.{table}.{}.{key}={value}", locked.name);
        let config: Vec<_> = patch.iter().map(entry).collect();
        let lockfile = self.place(start, &spec.to_string(), stable)?;
        let known = read_lock(&lockfile)?.filter(|_| stable.is_some());
        if let Some(text) = known
            && let Some(package) = found(&parse_lock(&lockfile, &text)?)
        {
            let change = self.widened(locked, &package.version);
            return self.finish(package, Some(spec), lockfile, text, change, config);
        }
        let once = once(patch.iter().any(|(key, _)| *key == "branch"));
        let update = |change: Option<&ManifestChange>, arguments: &[&str]| {
            let arguments = [arguments, once].concat();
            match self.update(&start.text, change, &config, &arguments)? {
                Ok((text, _)) => Ok((parse_lock(&lockfile, &text)?, text)),
                Err(stderr) => Err(failure::of_moving(locked, Some(spec), &stderr)),
            }
        };
        let moved = locked.spec();
        let (mut lock, mut text) = update(None, &["-p", &moved])?;
        let mut change = None;
        if let Some(unused) = lock.unused_patches.iter().find(is_it).cloned() {
            change = self.widened(locked, &unused.version);
            if change.is_none() {
                return Err(self.forbidden(locked, &unused.version));
            }
            let arguments: &[&str] = match compatible(&unused.version, &locked.version) {
                true => &["-p", &moved],
                false => &["--workspace"],
            };
            (lock, text) = update(change.as_ref(), arguments)?;
        }
        let Some(package) = found(&lock) else {
            return Err(self.forbidden(locked, &locked.version));
        };
        self.finish(package, Some(spec), lockfile, text, change, config)
    }

    /// To another source, by manifests that name it.
    pub fn to_changed(
        &self,
        start: &Resolved,
        spec: &Spec,
        change: ManifestChange,
        stable: Option<&str>,
        found: impl Fn(&Lock) -> Option<Locked>,
    ) -> Result<Resolved, Error> {
        let locked = &start.package;
        if self.mirrored(Some(&change))?.1 == 0 {
            return Err(Error::NotReplaceable { name: locked.name.clone() });
        }
        let lockfile = self.place(start, &spec.to_string(), stable)?;
        let is_branch = |(kind, _): &(String, String)| kind == "branch";
        let is_branch = matches!(&change.to, Replacement::Git(_, Some(it)) if is_branch(it));
        let arguments = [&["--workspace"], once(is_branch)].concat();
        let text = match self.update(&start.text, Some(&change), &[], &arguments)? {
            Ok((text, _)) => text,
            Err(stderr) => return Err(failure::of_moving(locked, Some(spec), &stderr)),
        };
        let package = found(&parse_lock(&lockfile, &text)?)
            .ok_or_else(|| Error::NotReplaceable { name: locked.name.clone() })?;
        self.finish(package, Some(spec), lockfile, text, Some(change), Vec::new())
    }

    fn forbidden(&self, locked: &Locked, version: &Version) -> Error {
        for package in &self.client.metadata.packages {
            for it in package.dependencies.iter().filter(|it| it.name == locked.name) {
                if it.req.matches(&locked.version) && !it.req.matches(version) {
                    return Error::Forbidden {
                        package: format!("{} {version}", locked.name),
                        requirement: format!("{} = {}", it.name, it.req),
                        by: format!("{} {}", package.name, package.version),
                        detail: String::new(),
                    };
                }
            }
        }
        Error::Conflict {
            name: locked.name.clone(),
            version: version.to_string(),
            detail: String::new(),
        }
    }
}

/// A branch is tried last, and git says that there is none as if the network had failed: once is enough.
fn once(is_branch: bool) -> &'static [&'static str] {
    if is_branch { &["--config", "net.retry=0"] } else { &[] }
}

/// The directory of a path spec, if the dependency is there.
fn package_directory(directory: &Path, name: &str) -> Result<PathBuf, Error> {
    let directory = normal(&absolute(directory)?);
    let not_a_package = || Error::NotAPackage { directory: directory.clone() };
    let text = fs::read_to_string(directory.join("Cargo.toml")).map_err(|_| not_a_package())?;
    let manifest: DocumentMut = text.parse().map_err(|_| not_a_package())?;
    let package = manifest.get("package").and_then(|package| package.get("name"));
    let found = package.and_then(|name| name.as_str()).ok_or_else(not_a_package)?;
    if found != name {
        return Err(Error::OtherPackage { directory, found: found.into(), name: name.into() });
    }
    Ok(directory)
}
