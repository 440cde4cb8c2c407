//! From requests to upgrades.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
};

use cargo_metadata::{Dependency, Metadata};

use super::{
    client::Client,
    files,
    lockfile::{Locked, Move, Moved, compatible},
    request::{Spec, UpgradeRequest},
    resolve::{Resolved, Resolver},
    side::BuildSide,
    usage::{self, Unused, Usage},
};
use crate::{cargo::Cargo, error::Error, interrupt, version::Both};

/// What a run has to judge.
#[derive(Debug)]
pub struct Plan {
    pub client: Client,
    /// Empty: nothing can move.
    pub upgrades: Vec<Upgrade>,
}

/// One dependency, old and new, with everything that moves along.
#[derive(Debug)]
pub struct Upgrade {
    pub dependency: String,
    pub from: String,
    pub to: String,
    /// The other packages that move.
    pub moved: Vec<Moved>,
    pub old: BuildSide,
    pub new: BuildSide,
    /// Why the client's build does not contain anything that moves.
    pub unused: Option<Unused>,
    /// Why there is nothing to build. The sides are then the user's own.
    pub error: Option<Error>,
    pub(super) moves: Vec<Move>,
}

impl Upgrade {
    /// Whether the two sides differ at all. If not, the dependency is already at the newest version
    /// that the manifest allows, or at the version asked for.
    pub fn moves(&self) -> bool {
        self.old != self.new
    }

    /// The dependency in each version, for people.
    pub fn names(&self) -> Both<String> {
        Both::new(&self.from, &self.to).map(|version| format!("{} {version}", self.dependency))
    }

    /// The names of all packages that move.
    pub fn moving(&self) -> HashSet<String> {
        let others = self.moved.iter().map(|moved| &moved.name);
        others.chain([&self.dependency]).cloned().collect()
    }

    /// Whether a lock file alone can express it: from what is locked to what the manifest allows.
    pub fn is_lockable(&self, client: &Client) -> bool {
        self.error.is_none()
            && self.old == client.base
            && self.new.config.is_empty()
            && self.new.manifests.is_empty()
    }
}

/// Finds the upgrades that are asked for; without requests, all that `cargo update` would make.
pub fn plan(cargo: &Cargo, requests: &[UpgradeRequest]) -> Result<Plan, Error> {
    plan_for(cargo, Client::open(cargo)?, requests)
}

/// The same, for a workspace that is open already.
pub fn plan_for(cargo: &Cargo, client: Client, requests: &[UpgradeRequest]) -> Result<Plan, Error> {
    let planner = Planner { resolver: Resolver::new(cargo, &client) };
    let upgrades = match requests {
        [] => planner.all()?,
        requests => {
            let upgrades = requests.iter().map(|request| {
                interrupt::check()?;
                planner.one(request).or_else(|error| planner.failed(request, error))
            });
            upgrades.collect::<Result<_, Error>>()?
        }
    };
    Ok(Plan { client, upgrades })
}

impl Plan {
    /// The packages that move along with these upgrades, each by itself as far as the lock file allows it:
    /// without the package that the upgrade is of.
    pub fn alone(&self, cargo: &Cargo, upgrades: &[&Upgrade]) -> Result<Vec<Upgrade>, Error> {
        let planner = Planner { resolver: Resolver::new(cargo, &self.client) };
        let mut seen: BTreeSet<Locked> = BTreeSet::new();
        let mut alone = Vec::new();
        for upgrade in upgrades.iter().filter(|it| it.is_lockable(&self.client)) {
            let is_it =
                |from: &Locked| from.name == upgrade.dependency && from.to_string() == upgrade.from;
            let both = upgrade.moves.iter().filter_map(|it| it.from.as_ref().zip(it.to.as_ref()));
            for (from, to) in both.filter(|(from, _)| !is_it(from)) {
                interrupt::check()?;
                if !to.is_registry() || !seen.insert(from.clone()) {
                    continue;
                }
                let old = planner.resolver.locked(from);
                let new = planner.resolver.resolve(&old, &Spec::Version(to.version.clone()));
                match new.and_then(|new| planner.upgrade(&old, &new)) {
                    Err(error) if is_fatal(&error) => return Err(error),
                    Ok(it)
                        if it.moves()
                            && it.is_lockable(&self.client)
                            && !it.moves.iter().any(|it| it.from.as_ref().is_some_and(is_it)) =>
                    {
                        alone.push(it);
                    }
                    // It does not move without the others.
                    _ => {}
                }
            }
        }
        Ok(alone)
    }
}

struct Planner<'a> {
    resolver: Resolver<'a>,
}

impl Planner<'_> {
    fn one(&self, request: &UpgradeRequest) -> Result<Upgrade, Error> {
        let locked = self.resolver.locked(&self.choose(request)?);
        let old = match &request.from {
            None => locked.clone(),
            // This is how one of several is chosen, wherever it comes from.
            Some(Spec::Version(version)) if *version == locked.package.version => locked.clone(),
            Some(spec) => self.resolver.resolve(&locked, spec)?,
        };
        // What is on the old side by other manifests or patches is no place to start from.
        let start = if old.change.is_none() && old.config.is_empty() { &old } else { &locked };
        let new = match &request.to {
            None => self.resolver.newest(start)?,
            Some(spec) => self.resolver.resolve(start, spec)?,
        };
        self.upgrade(&old, &new)
    }

    /// One upgrade for each package that `cargo update` moves and no earlier upgrade moves along.
    fn all(&self) -> Result<Vec<Upgrade>, Error> {
        let client = self.resolver.client;
        let (newest, text) = self.resolver.newest_of_all()?;
        let direct = client.direct();
        let is_direct = |package: &Locked| {
            direct.contains(&(package.name.clone(), package.version.to_string()))
        };
        let mut pairs: Vec<_> = client
            .lock
            .moves_to(&newest)
            .into_iter()
            .filter_map(|moved| Some((moved.from?, moved.to?)))
            .collect();
        pairs.sort_by_key(|(from, _)| !is_direct(from));
        let mut covered = BTreeSet::new();
        let mut upgrades = Vec::new();
        for (from, to) in pairs {
            interrupt::check()?;
            if covered.contains(&from) {
                continue;
            }
            let old = self.resolver.locked(&from);
            let upgrade = self.towards(&old, &to, &text).and_then(|new| self.upgrade(&old, &new));
            let upgrade = match upgrade {
                Ok(upgrade) => upgrade,
                Err(error) => {
                    let to = Some(Spec::Version(to.version));
                    self.failed(&UpgradeRequest { name: from.name.clone(), from: None, to }, error)?
                }
            };
            covered.extend(upgrade.moves.iter().filter_map(|moved| moved.from.clone()));
            covered.insert(from);
            upgrades.push(upgrade);
        }
        Ok(upgrades)
    }

    /// The package where `cargo update` puts it, with as few others as possible; where it does not
    /// move without the rest, with all of them.
    fn towards(&self, old: &Resolved, to: &Locked, all: &str) -> Result<Resolved, Error> {
        if to.is_registry() {
            match self.resolver.resolve(old, &Spec::Version(to.version.clone())) {
                Ok(new) => return Ok(new),
                Err(error) if is_fatal(&error) => return Err(error),
                Err(_) => {}
            }
        }
        let new = self.resolver.newest(old)?;
        if new.package != old.package {
            return Ok(new);
        }
        self.resolver.keep(old, to.clone(), all.into(), "all")
    }

    fn upgrade(&self, old: &Resolved, new: &Resolved) -> Result<Upgrade, Error> {
        let resolver = &self.resolver;
        let mirrored = old.change.is_some() || new.change.is_some();
        let moves = old.lock.moves_to(&new.lock);
        let is_dependency = |moved: &&Move| {
            moved.from.as_ref() == Some(&old.package) || moved.to.as_ref() == Some(&new.package)
        };
        let mut upgrade = Upgrade {
            dependency: old.package.name.clone(),
            from: old.label.clone(),
            to: new.label.clone(),
            moved: moves.iter().filter(|moved| !is_dependency(moved)).map(Move::shown).collect(),
            old: resolver.side(old, mirrored)?,
            new: resolver.side(new, mirrored)?,
            unused: None,
            error: None,
            moves,
        };
        if old.text == new.text && old.change == new.change && old.config == new.config {
            upgrade.new = upgrade.old.clone();
            return Ok(upgrade);
        }
        self.judge_usage(old, new, &mut upgrade)?;
        Ok(upgrade)
    }

    /// Asks cargo for the graphs of both sides, unless the answer for this pair is kept from a run in
    /// which the user's own graph was the same.
    fn judge_usage(
        &self,
        old: &Resolved,
        new: &Resolved,
        upgrade: &mut Upgrade,
    ) -> Result<(), Error> {
        let Resolver { cargo, client, .. } = &self.resolver;
        let is_repeatable = [old, new].iter().all(|side| side.is_from_registry());
        let parts = [&old.text, &new.text, &client.fingerprint].map(|part| part.as_bytes());
        let answer = new.lockfile.with_file_name(format!("usage-{}", files::fingerprint(parts)));
        if is_repeatable && let Ok(code) = fs::read_to_string(&answer) {
            let unused = Unused::of_code(&code);
            if unused.is_some() || code.is_empty() {
                upgrade.unused = unused;
                return Ok(());
            }
        }
        let of_old: Metadata;
        let of_old = if old.lockfile == client.base.lockfile {
            &client.metadata
        } else {
            of_old = client.metadata_of(cargo, &upgrade.old)?;
            &of_old
        };
        let of_new = client.metadata_of(cargo, &upgrade.new)?;
        let (before, after) = (Usage::of(of_old, client), Usage::of(&of_new, client));
        let mut from = vec![old.package.clone()];
        let mut to = vec![new.package.clone()];
        from.extend(upgrade.moves.iter().filter_map(|moved| moved.from.clone()));
        to.extend(upgrade.moves.iter().filter_map(|moved| moved.to.clone()));
        upgrade.unused = usage::unused(&before, &after, &from, &to);
        if upgrade.unused.is_none() {
            let rust = cargo.toolchain.rust_version();
            for usage in [&before, &after] {
                usage.check_rust_version(&rust, &cargo.toolchain.channel)?;
            }
        }
        if is_repeatable {
            files::write_if_changed(&answer, upgrade.unused.map_or("", Unused::code))?;
        }
        Ok(())
    }

    /// The locked package that a request means.
    fn choose(&self, request: &UpgradeRequest) -> Result<Locked, Error> {
        let client = self.resolver.client;
        let name = &request.name;
        let is_client = |package: &Locked| {
            package.source.is_none() && client.packages.iter().any(|it| it.name == package.name)
        };
        let mut found: Vec<_> = client.lock.named(name).filter(|it| !is_client(it)).collect();
        if found.is_empty() {
            return Err(Error::NotADependency { name: name.clone(), near: self.near(name) });
        }
        let direct = client.direct();
        let versions = found.iter().map(|package| package.to_string()).collect();
        let from = match &request.from {
            Some(Spec::Version(version)) => Some(version),
            _ => None,
        };
        let mut narrow = |keep: &dyn Fn(&Locked) -> bool| {
            if found.len() > 1 && found.iter().any(|package| keep(package)) {
                found.retain(|package| keep(package));
            }
        };
        narrow(&|package| from.is_some_and(|version| compatible(version, &package.version)));
        narrow(&|package| direct.contains(&(package.name.clone(), package.version.to_string())));
        match found.as_slice() {
            [package] => Ok((*package).clone()),
            _ => Err(Error::Ambiguous { name: name.clone(), versions }),
        }
    }

    fn near(&self, name: &str) -> Vec<String> {
        let plain = |name: &str| name.to_lowercase().replace('-', "_");
        let distance = |other: &str| strsim::damerau_levenshtein(&plain(name), &plain(other));
        let names: BTreeSet<_> = self
            .resolver
            .client
            .lock
            .packages
            .iter()
            .map(|package| package.name.as_str())
            .collect();
        let mut near: Vec<_> = names.into_iter().map(|other| (distance(other), other)).collect();
        near.retain(|(distance, _)| *distance <= name.len().div_ceil(4).min(3));
        // The manifest may call it by another name than its own.
        let renamed = |dependency: &&Dependency| dependency.rename.as_deref() == Some(name);
        let own = self.resolver.client.own_packages().flat_map(|package| &package.dependencies);
        near.extend(own.filter(renamed).map(|dependency| (0, dependency.name.as_str())));
        near.sort();
        near.dedup_by_key(|(_, other)| *other);
        near.into_iter().take(3).map(|(_, other)| format!("`{other}`")).collect()
    }

    /// An upgrade that cannot be built. What would fail every other one too ends the run.
    fn failed(&self, request: &UpgradeRequest, error: Error) -> Result<Upgrade, Error> {
        if is_fatal(&error) {
            return Err(error);
        }
        let client = self.resolver.client;
        let spec = |spec: &Option<Spec>| spec.as_ref().map(Spec::to_string).unwrap_or_default();
        let locked = self.choose(request).map(|package| package.to_string());
        Ok(Upgrade {
            dependency: request.name.clone(),
            from: match &request.from {
                Some(from) => from.to_string(),
                None => locked.unwrap_or_default(),
            },
            to: spec(&request.to),
            moved: Vec::new(),
            old: client.base.clone(),
            new: client.base.clone(),
            unused: None,
            error: Some(error),
            moves: Vec::new(),
        })
    }
}

fn is_fatal(error: &Error) -> bool {
    use Error::{DiskFull, Interrupted, Io, NoNetwork, NotWritable};
    matches!(
        error,
        Interrupted | DiskFull { .. } | NotWritable { .. } | NoNetwork { .. } | Io { .. }
    )
}
