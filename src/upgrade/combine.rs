//! Several upgrades in one lock file, and writing it.

use std::{collections::BTreeSet, fs};

use super::{
    client::{parse_lock, read_lock},
    files,
    lockfile::{Lock, Locked, Move},
    plan::{Plan, Upgrade},
    resolve::Resolver,
    side::BuildSide,
};
use crate::{cargo::Cargo, error::Error, interrupt};

/// The user's lock file with upgrades applied, not yet written.
#[derive(Debug)]
pub struct Combined {
    /// The client with all of them.
    pub side: BuildSide,
    /// The dependencies that are in it, as indices into what was to be combined.
    pub included: Vec<usize>,
    pub skipped: Vec<Skipped>,
    text: String,
}

/// An upgrade that a lock file alone cannot express.
#[derive(Debug)]
pub struct Skipped {
    pub index: usize,
    pub reason: NotLockable,
}

/// Why a lock file cannot take an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotLockable {
    /// The manifest has to change first.
    NeedsManifest,
    /// What it moves does not go together with what the others move.
    Conflicts,
}

/// Applies upgrades one after the other. The result moves what they move and nothing else.
pub fn combine(cargo: &Cargo, plan: &Plan, upgrades: &[&Upgrade]) -> Result<Combined, Error> {
    let client = &plan.client;
    let resolver = Resolver::new(cargo, client);
    let (mut text, mut moves) = (client.lock_text.clone(), Vec::new());
    let (mut included, mut skipped) = (Vec::new(), Vec::new());
    for (index, upgrade) in upgrades.iter().enumerate() {
        interrupt::check()?;
        let mut skip = |reason| skipped.push(Skipped { index, reason });
        if !upgrade.new.config.is_empty() || !upgrade.new.manifests.is_empty() {
            skip(NotLockable::NeedsManifest);
            continue;
        }
        let together: Vec<_> = moves.iter().chain(&upgrade.moves).cloned().collect();
        let expected = expected(&client.lock, &together);
        let next = match included.is_empty() {
            true => read_lock(&upgrade.new.lockfile)?.unwrap_or_default(),
            false => apply(&resolver, &text, upgrade)?,
        };
        if parse_lock(&upgrade.new.lockfile, &next)?.packages != expected {
            skip(NotLockable::Conflicts);
            continue;
        }
        (text, moves) = (next, together);
        included.push(index);
    }
    let side = BuildSide {
        lockfile: client.private.join("locks/combined/Cargo.lock"),
        ..client.base.clone()
    };
    files::write_if_changed(&side.lockfile, &text)?;
    Ok(Combined { side, included, skipped, text })
}

impl Combined {
    /// Puts the lock file in the place of the user's, whole or not at all.
    pub fn write(&self, cargo: &Cargo, plan: &Plan) -> Result<(), Error> {
        if cargo.options.locked {
            return Err(Error::LockedForbidsWriting);
        }
        let path = plan.client.workspace_root.join("Cargo.lock");
        // Where Cargo.lock is a link, the file behind it is replaced.
        let path = fs::canonicalize(&path).unwrap_or(path);
        if read_lock(&path)? != plan.client.user_lock {
            return Err(Error::LockChanged);
        }
        interrupt::check()?;
        files::replace(&path, &self.text).map_err(|source| Error::Io {
            context: format!("cannot write {}", path.display()),
            source,
        })
    }
}

/// What a lock file contains after the moves.
fn expected(lock: &Lock, moves: &[Move]) -> BTreeSet<Locked> {
    let mut packages = lock.packages.clone();
    for from in moves.iter().filter_map(|moved| moved.from.as_ref()) {
        packages.remove(from);
    }
    packages.extend(moves.iter().filter_map(|moved| moved.to.clone()));
    packages
}

/// Moves what the upgrade moves, in a lock file in which other packages have moved already. Where
/// cargo cannot, the lock file stays behind, and the caller sees that.
fn apply(resolver: &Resolver, text: &str, upgrade: &Upgrade) -> Result<String, Error> {
    let mut text = text.to_string();
    for moved in &upgrade.moves {
        let (Some(from), Some(to)) = (&moved.from, &moved.to) else {
            continue;
        };
        let lock = parse_lock(&upgrade.new.lockfile, &text)?;
        if !lock.packages.contains(from) || lock.packages.contains(to) {
            continue;
        }
        let version = match to.source.as_deref().and_then(|source| source.rsplit_once('#')) {
            Some((_, commit)) if to.git_url().is_some() => commit.to_string(),
            _ => to.version.to_string(),
        };
        let arguments = ["-p", &from.spec(), "--precise", &version];
        if let Ok((next, _)) = resolver.update(&text, None, &[], &arguments)? {
            text = next;
        }
    }
    Ok(text)
}
