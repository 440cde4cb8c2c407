//! Tests that stay: a difference that was seen, with all that is needed to see it again.
//!
//! A test is a directory below `target/cse/tests/`: `call.rs` is the call, to be read; `test.json`
//! has the rest, with both lock files. Its name is made from what it calls and with which versions,
//! so that the same difference is kept once.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::build::Builder;
use super::harness::{confirm, failed, not_started, reason};
use super::outcome::{Comparison, NativeOutcome};
use super::process::{self, ProcessLimits};
use super::source::{self, RUNTIME};
use crate::cargo::{BuildOptions, Cargo, CargoOptions};
use crate::error::Error;
use crate::model::{NoTarget, NotRun};
use crate::upgrade::{BuildSide, Client, Upgrade, fingerprint, write_if_changed};
use crate::version::{Both, Version};

/// A kept test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Kept {
    pub entry: String,
    /// For people.
    pub call: String,
    pub arguments: Vec<String>,
    pub dependency: String,
    pub from: String,
    pub to: String,
    /// The outcomes when it was kept.
    pub old: String,
    pub new: String,
    /// The package of the client, and its binary where that is what runs.
    pub package: String,
    pub binary: Option<String>,
    /// The call as a module of the generated program. None: the binary runs.
    #[serde(skip)]
    pub module: Option<String>,
    /// The same with full paths, which tell the crates that it uses.
    pub paths: String,
    pub(super) sides: Vec<BuildSide>,
    pub(super) locks: Vec<String>,
    pub(super) build: BuildOptions,
}

/// What a kept test does now.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub old: NativeOutcome,
    pub new: NativeOutcome,
    pub comparison: Comparison,
}

/// A kept test by its name, run again with both versions.
#[derive(Clone, Debug)]
pub struct ReplayedTest {
    pub name: String,
    pub kept: Kept,
    /// Why it could not be run, where that failed.
    pub replayed: Result<Replayed, NotRun>,
}

impl ReplayedTest {
    /// Whether the versions still differ. None: not known.
    pub fn differs(&self) -> Option<bool> {
        match &self.replayed.as_ref().ok()?.comparison {
            Comparison::Same => Some(false),
            Comparison::Different => Some(true),
            Comparison::Unknown(_) => None,
        }
    }

    /// Why that is not known.
    pub fn reason(&self) -> Option<&NotRun> {
        match &self.replayed {
            Ok(Replayed { comparison: Comparison::Unknown(reason), .. }) | Err(reason) => {
                Some(reason)
            }
            Ok(_) => None,
        }
    }
}

const FILE: &str = "test.json";
const CALL: &str = "call.rs";

impl Kept {
    /// A test of this upgrade, of which nothing else is known yet.
    pub(super) fn of(cargo: &Cargo, planned: &Upgrade) -> Result<Kept, Error> {
        let sides = [&planned.old, &planned.new];
        let read = |side: &&BuildSide| {
            fs::read_to_string(&side.lockfile).map_err(|source| Error::Io {
                context: format!("cannot read {}", side.lockfile.display()),
                source,
            })
        };
        Ok(Kept {
            dependency: planned.dependency.clone(),
            from: planned.from.clone(),
            to: planned.to.clone(),
            locks: sides.iter().map(read).collect::<Result<_, _>>()?,
            sides: sides.into_iter().cloned().collect(),
            build: cargo.options.build.clone(),
            ..Kept::default()
        })
    }

    /// The same whenever what is called and the versions are.
    pub fn name(&self) -> String {
        let parts = [&self.entry, &self.call, &self.dependency, &self.from, &self.to];
        let hash = fingerprint(parts.map(|part| part.as_bytes()));
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let words: String = self.entry.chars().map(plain).collect();
        let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
        let words: String = words.join("-").chars().take(60).collect();
        format!("{words}-{}", &hash[..6])
    }

    /// Runs it again with both versions, with the client's sources as they are now.
    pub fn replay(
        &self,
        cargo: &Cargo,
        client: &Client,
        limits: &ProcessLimits,
    ) -> Result<Replayed, NotRun> {
        let package = client.packages.iter().find(|it| it.name == self.package);
        let package =
            package.ok_or_else(|| NotRun::Target(NoTarget::Package(self.package.clone())))?;
        let options = CargoOptions { build: self.build.clone(), ..cargo.options.clone() };
        let cargo = Cargo::new(&cargo.toolchain, &options);
        let versions = Both::new(&self.from, &self.to);
        let names = versions.map(|version| format!("{} {version}", self.dependency));
        let sides = self.restore(client).map_err(failed)?;
        let dependency = &self.dependency;
        let builder =
            Builder { cargo: &cargo, client, package, sides, dependency, names: names.clone() };
        let executables = match (&self.module, &self.binary) {
            (Some(module), _) => {
                let modules = [CALL.trim_end_matches(".rs").to_owned()];
                let main = source::main(&modules, std::slice::from_ref(&self.paths));
                let files = [("main.rs", &main), ("runtime.rs", &RUNTIME.into()), (CALL, module)];
                let files = files.map(|(name, text)| (name.to_owned(), text.clone()));
                builder.program(&files).map_err(reason)?
            }
            (None, Some(binary)) => builder.binary(binary).map_err(reason)?,
            (None, None) => return Err(NotRun::Target(NoTarget::File(CALL))),
        };
        let run = |version: Version| {
            let executable = &executables.paths[version];
            let outcome = match self.module {
                Some(_) => process::calls(executable, &[vec![0]], limits)
                    .map(|mut outcomes| outcomes.pop().expect("one call has one outcome")),
                None => process::binary(executable, limits),
            };
            outcome.map_err(not_started)
        };
        let Both { old, new } = Both::try_from_fn(run)?;
        let mut comparison = old.compare(&new, &names);
        if comparison == Comparison::Different
            && let Err(reason) = confirm(&names, run)
        {
            comparison = Comparison::Unknown(reason);
        }
        Ok(Replayed { old, new, comparison })
    }

    /// The sides, with copies of the kept lock files, which cargo may adapt to the manifests.
    fn restore(&self, client: &Client) -> Result<Both<BuildSide>, Error> {
        let ([old, new], [old_lock, new_lock]) = (&self.sides[..], &self.locks[..]) else {
            return Err(Error::CargoFailed {
                what: "read the kept test".to_owned(),
                detail: "it has no two sides".to_owned(),
            });
        };
        let restore = |(side, lock, label): (&BuildSide, &String, &str)| {
            let place = client.private.join("locks").join(format!("replay-{label}"));
            let lockfile = place.join("Cargo.lock");
            write_if_changed(&lockfile, lock)?;
            Ok(BuildSide { lockfile, ..side.clone() })
        };
        Both::new((old, old_lock, "old"), (new, new_lock, "new")).try_map(restore)
    }
}

/// Writes the test and says where it is.
pub(super) fn keep(kept: &Kept, client: &Client) -> Result<PathBuf, Error> {
    let name = kept.name();
    let directory = tests(&client.private).join(&name);
    let json = serde_json::to_string_pretty(kept).expect("texts can be written as JSON");
    if let Some(module) = &kept.module {
        let text = format!("{}{module}", heading(kept, &name));
        write_if_changed(&directory.join(CALL), &text)?;
    }
    write_if_changed(&directory.join(FILE), &json)?;
    Ok(directory)
}

fn heading(kept: &Kept, name: &str) -> String {
    let Kept { call, dependency, from, to, old, new, .. } = kept;
    let lines = [
        call.clone(),
        String::new(),
        format!("with {dependency} {from}: {old}"),
        format!("with {dependency} {to}: {new}"),
        String::new(),
        format!("`cargo cse replay {name}` runs it again with both versions."),
    ];
    let comments: String = lines.iter().map(|line| format!("//! {}\n", line.trim())).collect();
    comments.replace("//! \n", "//!\n") + "\n"
}

/// Runs the kept test of this name, or all of them.
pub fn replay(
    cargo: &Cargo,
    client: &Client,
    wanted: Option<&str>,
    limits: &ProcessLimits,
) -> Result<Vec<ReplayedTest>, Error> {
    let all = kept_tests(&client.private);
    let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
    let is_wanted = |name: &str| {
        wanted.is_none_or(|wanted| {
            let last = wanted.trim_end_matches('/').rsplit('/').next().unwrap_or(wanted);
            name == last
        })
    };
    if !names.iter().any(|name| is_wanted(name)) {
        return Err(Error::NoSuchTest { name: wanted.map(str::to_owned), existing: names });
    }
    let mut tests = Vec::new();
    for (name, kept) in all.into_iter().filter(|(name, _)| is_wanted(name)) {
        crate::interrupt::check()?;
        let replayed = kept.replay(cargo, client, limits);
        crate::interrupt::check()?;
        tests.push(ReplayedTest { name, kept, replayed });
    }
    Ok(tests)
}

/// All kept tests of a workspace, by name. What cannot be read is none.
pub fn kept_tests(private: &Path) -> Vec<(String, Kept)> {
    let entries = fs::read_dir(tests(private)).into_iter().flatten().flatten();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(path.join(FILE)).ok()?;
        let mut kept: Kept = serde_json::from_str(&text).ok()?;
        kept.module = fs::read_to_string(path.join(CALL)).ok();
        Some((path.file_name()?.to_string_lossy().into_owned(), kept))
    };
    let mut found: Vec<_> = entries.filter_map(|entry| read(entry.path())).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn tests(private: &Path) -> PathBuf {
    private.join("tests")
}
