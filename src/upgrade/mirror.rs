//! The workspace again under `target/cse/`, with edited manifests and links to everything else.
//!
//! One directory serves both sides, so that the client is built in the same place with both
//! versions. **Invariant.** Sources are never copied, and nothing is written through a link.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use super::{
    client::Client,
    files,
    manifest::{Manifest, ManifestChange},
};
use crate::error::Error;

pub struct Mirror<'a> {
    client: &'a Client,
    /// The directory that the mirror stands for: the workspace's, or one above it where a member is
    /// elsewhere.
    real: PathBuf,
    copy: PathBuf,
    /// The directories whose manifests are written anew.
    packages: BTreeSet<PathBuf>,
}

impl<'a> Mirror<'a> {
    pub fn of(client: &'a Client) -> Mirror<'a> {
        let mut packages: BTreeSet<PathBuf> = client
            .own_packages()
            .filter_map(|package| parent(package.manifest_path.as_std_path()))
            .collect();
        packages.insert(client.workspace_root.clone());
        let above =
            |directory: &&Path| packages.iter().all(|package| package.starts_with(directory));
        let real = client.workspace_root.ancestors().find(above).unwrap_or(Path::new("/"));
        Mirror { client, real: real.into(), copy: client.private.join("mirror"), packages }
    }

    /// Where a file or directory of the user's is in the mirror.
    pub fn twin(&self, path: &Path) -> PathBuf {
        self.copy.join(path.strip_prefix(&self.real).unwrap_or(path))
    }

    /// The mirror's manifests with the change, and how many entries it edited.
    pub fn manifests(
        &self,
        change: Option<&ManifestChange>,
    ) -> Result<(Vec<(PathBuf, String)>, usize), Error> {
        let (mut manifests, mut edited) = (Vec::new(), 0);
        for directory in &self.packages {
            let path = directory.join("Cargo.toml");
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(source) => {
                    return Err(Error::Io {
                        context: format!("cannot read {}", path.display()),
                        source,
                    });
                }
            };
            let mut manifest = Manifest::parse(&path, &text)
                .map_err(|error| Error::BrokenManifest { detail: error.to_string() })?;
            let entries = change.map_or(0, |change| manifest.apply(change));
            edited += entries;
            manifest.redirect_paths(|path| self.packages.contains(path).then(|| self.twin(path)));
            if *directory == self.client.workspace_root {
                manifest.make_root(self.members_without(change).as_deref());
            }
            manifests.push((self.twin(&path), manifest.text()));
        }
        Ok((manifests, edited))
    }

    /// Makes the links as the user's directories are now. Manifests are written by `BuildSide::enter`.
    pub fn link(&self) -> Result<(), Error> {
        let mut wanted = BTreeMap::new();
        self.collect(&self.real, &mut wanted)?;
        self.remove_all_but(&self.copy, &wanted)?;
        files::create_directory(&self.copy)?;
        for (path, target) in &wanted {
            match target {
                None => files::create_directory(path)?,
                Some(target) if fs::read_link(path).is_ok_and(|link| link == *target) => {}
                Some(target) => {
                    symlink(target, path).map_err(|source| files::failed(path, source))?
                }
            }
        }
        Ok(())
    }

    /// What the mirror of this directory holds: directories (None) and links to their targets.
    fn collect(
        &self,
        directory: &Path,
        wanted: &mut BTreeMap<PathBuf, Option<PathBuf>>,
    ) -> Result<(), Error> {
        let inside = directory.starts_with(&self.client.workspace_root)
            || self.packages.iter().any(|package| directory.starts_with(package));
        for entry in read_directory(directory)? {
            let is_above = |path: &PathBuf| path.starts_with(&entry);
            if entry == self.client.target_dir {
                continue;
            } else if self.packages.iter().any(is_above) || is_above(&self.client.target_dir) {
                wanted.insert(self.twin(&entry), None);
                self.collect(&entry, wanted)?;
            } else if inside && !self.is_left_out(&entry) {
                wanted.insert(self.twin(&entry), Some(entry));
            }
        }
        Ok(())
    }

    fn is_left_out(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        let own_manifest =
            name == "Cargo.toml" && parent(path).is_some_and(|it| self.packages.contains(&it));
        own_manifest || name == "Cargo.lock" || name == ".git"
    }

    fn remove_all_but(
        &self,
        directory: &Path,
        wanted: &BTreeMap<PathBuf, Option<PathBuf>>,
    ) -> Result<(), Error> {
        if !directory.is_dir() {
            return Ok(());
        }
        for path in read_directory(directory)? {
            let failed = |source| files::failed(&path, source);
            let kind = path.symlink_metadata().map_err(failed)?.file_type();
            match wanted.get(&path) {
                Some(None) if kind.is_dir() => self.remove_all_but(&path, wanted)?,
                Some(Some(target)) if fs::read_link(&path).is_ok_and(|link| link == *target) => {}
                _ if kind.is_dir() => fs::remove_dir_all(&path).map_err(failed)?,
                None if self.is_manifest(&path) && kind.is_file() => {}
                _ => fs::remove_file(&path).map_err(failed)?,
            }
        }
        Ok(())
    }

    fn is_manifest(&self, path: &Path) -> bool {
        self.packages.iter().any(|package| self.twin(package).join("Cargo.toml") == path)
    }

    /// A member that is itself what is replaced must not stay a member: the lock file cannot tell it
    /// from its replacement.
    fn members_without(&self, change: Option<&ManifestChange>) -> Option<Vec<String>> {
        let locked = &change?.locked;
        let metadata = &self.client.metadata;
        let members = metadata.workspace_packages();
        let is_replaced = |name: &str| locked.source.is_none() && name == locked.name;
        if !members.iter().any(|package| is_replaced(package.name.as_str())) {
            return None;
        }
        let kept = members.iter().filter(|package| !is_replaced(package.name.as_str()));
        let directories = kept.filter_map(|package| parent(package.manifest_path.as_std_path()));
        Some(
            directories
                .map(|directory| self.twin(&directory).to_string_lossy().into_owned())
                .collect(),
        )
    }
}

fn parent(path: &Path) -> Option<PathBuf> {
    path.parent().map(PathBuf::from)
}

fn read_directory(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    entries.map_err(|source| Error::Io {
        context: format!("cannot read {}", directory.display()),
        source,
    })
}
