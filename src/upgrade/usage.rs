//! Whether the client's build contains what moved, and whether the toolchain can build it.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use semver::Version;

use super::{client::Client, lockfile::Locked};
use crate::error::Error;

/// The packages that the selected ones are built with. Cargo's description unites the features of
/// all workspace members, so there may be more here than is built, never less.
pub struct Usage<'a> {
    metadata: &'a Metadata,
    built: BTreeSet<&'a PackageId>,
    /// Also those for tests, examples and benchmarks.
    developed: BTreeSet<&'a PackageId>,
}

impl<'a> Usage<'a> {
    pub fn of(metadata: &'a Metadata, client: &Client) -> Usage<'a> {
        let roots: Vec<_> = metadata
            .workspace_packages()
            .into_iter()
            .filter(|package| {
                client.packages.iter().any(|selected| {
                    selected.name == package.name.as_str()
                        && selected.version == package.version.to_string()
                })
            })
            .map(|package| &package.id)
            .collect();
        Usage {
            metadata,
            built: reached(metadata, &roots, false),
            developed: reached(metadata, &roots, true),
        }
    }

    /// How many packages are built.
    pub fn len(&self) -> usize {
        self.built.len()
    }

    /// The error if a package of the build declares a `rust-version` above the toolchain's.
    pub fn check_rust_version(&self, rust: &Version, toolchain: &str) -> Result<(), Error> {
        let new = self.packages(&self.built).find_map(|package| {
            let needed = package.rust_version.as_ref()?;
            (*needed > *rust).then(|| (package, needed.clone()))
        });
        match new {
            None => Ok(()),
            Some((package, needed)) => Err(Error::RustTooOld {
                package: format!("{} {}", package.name, package.version),
                needed,
                toolchain: toolchain.into(),
            }),
        }
    }

    fn packages(&self, ids: &BTreeSet<&PackageId>) -> impl Iterator<Item = &'a Package> {
        self.metadata.packages.iter().filter(|package| ids.contains(&package.id))
    }

    fn contains(&self, ids: &BTreeSet<&PackageId>, moved: &[Locked]) -> bool {
        self.packages(ids).any(|package| moved.contains(&locked(package)))
    }

    /// What is built, with which features, whatever directory it is in.
    fn build(&self) -> BTreeMap<Locked, Vec<String>> {
        let nodes = self.metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let features: BTreeMap<_, _> = nodes.map(|node| (&node.id, &node.features)).collect();
        self.packages(&self.built)
            .map(|package| {
                let features = features.get(&package.id).into_iter().copied().flatten();
                (locked(package), features.map(|feature| feature.to_string()).collect())
            })
            .collect()
    }
}

/// Why the client's build contains nothing of an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// Only tests, examples or benches use it.
    OnlyDeveloped,
    /// The build does not contain it for its target and features.
    NotBuilt,
}

impl Unused {
    const ALL: [Unused; 2] = [Unused::OnlyDeveloped, Unused::NotBuilt];

    /// What stands for it in files and in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Unused::OnlyDeveloped => "only-tests",
            Unused::NotBuilt => "not-in-build",
        }
    }

    pub fn of_code(code: &str) -> Option<Unused> {
        Unused::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// Why the upgrade does not touch the client's build. None: it may.
///
/// Says so only if the build contains nothing that moved and is otherwise the same on both sides,
/// features included: a package outside the build can still switch on features inside it.
pub fn unused(old: &Usage, new: &Usage, from: &[Locked], to: &[Locked]) -> Option<Unused> {
    if old.contains(&old.built, from) || new.contains(&new.built, to) || old.build() != new.build()
    {
        return None;
    }
    let only_developed = old.contains(&old.developed, from) || new.contains(&new.developed, to);
    Some(if only_developed { Unused::OnlyDeveloped } else { Unused::NotBuilt })
}

fn reached<'a>(
    metadata: &'a Metadata,
    roots: &[&'a PackageId],
    develop: bool,
) -> BTreeSet<&'a PackageId> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let nodes: BTreeMap<_, _> = nodes.map(|node| (&node.id, node)).collect();
    let mut seen: BTreeSet<_> = roots.iter().copied().collect();
    let mut open: Vec<_> = roots.to_vec();
    while let Some(id) = open.pop() {
        for dependency in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
            let built =
                dependency.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Development);
            if (built || develop) && seen.insert(&dependency.pkg) {
                open.push(&dependency.pkg);
            }
        }
    }
    seen
}

fn locked(package: &Package) -> Locked {
    Locked {
        name: package.name.to_string(),
        version: package.version.clone(),
        source: package.source.as_ref().map(|source| source.repr.clone()),
    }
}
