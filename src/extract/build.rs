//! One run of cargo for each side, and what came of it.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::{mem, panic, thread};

use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{Artifact, Message, PackageId, TargetKind};
use tracing::info_span;

use super::foreign::Scripts;
use super::{background, program_file};
use crate::cargo::{BuildDirectory, Cargo, wrapping};
use crate::cfa::{Crate, Origin, Program, loops};
use crate::error::Error;
use crate::interrupt::{self, Group};
use crate::model::{self, ClientTarget};
use crate::upgrade::{BuildSide, Client, create_directory};
use crate::version::{Both, Version};

/// Builds sides of upgrades of one client.
pub struct Extractor<'a> {
    cargo: &'a Cargo,
    client: &'a Client,
    /// The triple that the client is built for.
    target: String,
    sysroot: PathBuf,
    place: &'a BuildDirectory,
}

/// Is told how far a build is.
type Watch<'a> = &'a dyn Fn(BuildProgress<'_>);

/// The two sides of an upgrade.
pub struct Sides<'a> {
    pub sides: Both<&'a BuildSide>,
    /// The dependency in each version, for messages.
    pub names: Both<&'a str>,
    /// The packages that move, which therefore are no code of the client.
    pub moving: &'a HashSet<String>,
}

/// How far the build of a side is.
#[derive(Clone, Copy, Debug)]
pub enum BuildProgress<'a> {
    /// It begins, with this version.
    Starts(&'a str),
    /// So many packages are built. There may be fewer than it says in all.
    Packages { built: usize, of: usize },
}

/// What one side builds to.
pub struct Build {
    pub targets: Vec<BuiltTarget>,
    pub scripts: Scripts,
    /// The procedural macros of the client and their files, which cargo names after all that they were
    /// built from.
    pub macros: BTreeSet<(String, String)>,
}

pub struct BuiltTarget {
    pub name: ClientTarget,
    pub program: Program,
}

impl<'a> Extractor<'a> {
    /// `announce` is told before anything that takes long and happens once.
    pub fn new(
        cargo: &'a Cargo,
        client: &'a Client,
        announce: &mut dyn FnMut(&str),
    ) -> Result<Extractor<'a>, Error> {
        let target = cargo.target();
        let sysroot = cargo.toolchain.mir_sysroot(&target, announce)?;
        Ok(Extractor { cargo, client, target, sysroot, place: &client.place })
    }

    /// Builds both sides. `watch` is told how far it is.
    pub fn extract(&self, sides: &Sides, watch: Watch<'_>) -> Result<Both<Build>, Error> {
        type Remedy<'a> = fn(&Extractor<'a>, &Both<Checked>) -> Result<(), Error>;
        let remedies: [Remedy<'a>; 2] = [Self::forget, Self::clear];
        let mut checked = self.check_both(sides, Order::Overlapping, watch)?;
        if are_mixed(&checked) {
            checked = self.check_both(sides, Order::OneByOne, watch)?;
        }
        for remedy in remedies {
            if checked.iter().all(Checked::is_complete) {
                break;
            }
            remedy(self, &checked)?;
            // What went wrong in the background goes wrong again, and is then said.
            checked = self.check_both(sides, Order::OneByOne, watch)?;
        }
        if are_mixed(&checked) {
            checked.old.rename("old");
            checked.new.rename("new");
        }
        checked.try_map(|checked| self.finish(checked, sides.moving))
    }

    fn check_both(
        &self,
        sides: &Sides,
        order: Order,
        watch: Watch<'_>,
    ) -> Result<Both<Checked>, Error> {
        let check = |version: Version| self.check(sides, version, order, watch);
        let (old, group) = check(Version::Old)?;
        let checked = match order {
            Order::OneByOne => {
                let old = self.read(old, group);
                let (new, group) = check(Version::New)?;
                Both::new(old, self.read(new, group))
            }
            Order::Overlapping => thread::scope(|scope| {
                let old = scope.spawn(move || self.read(old, group));
                let (new, group) = check(Version::New)?;
                let new = self.read(new, group);
                let old = old.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
                Ok(Both::new(old, new))
            })?,
        };
        interrupt::check()?;
        Ok(checked)
    }

    fn check(
        &self,
        sides: &Sides,
        version: Version,
        order: Order,
        watch: Watch<'_>,
    ) -> Result<(Checked, Group), Error> {
        let (side, what) = (sides.sides[version], sides.names[version]);
        watch(BuildProgress::Starts(what));
        let packages = self.client.built_packages();
        let mut built = HashSet::new();
        let _span = info_span!("build", with = what).entered();
        side.enter()?;
        let mut command = self.cargo.command_in(self.place, "check");
        side.apply(&mut command);
        command.args(["--message-format", "json"]);
        self.select(&mut command);
        self.instruct(&mut command);
        if let Some(dependents) = side.dependents(sides.moving) {
            let dependents: Vec<String> = dependents.into_iter().collect();
            command.env(wrapping::DEPENDENTS_VARIABLE, dependents.join(","));
        }
        if order == Order::Overlapping {
            command.env(background::VARIABLE, format!("{version:?}"));
        }
        let mut checked = Checked::default();
        let mut errors: Vec<(String, String)> = Vec::new();
        let ended =
            self.cargo.stream(command, |line| match serde_json::from_str::<Message>(line) {
                Ok(Message::CompilerArtifact(artifact)) => {
                    if built.insert(artifact.package_id.clone()) {
                        let of = packages.max(built.len());
                        watch(BuildProgress::Packages { built: built.len(), of });
                    }
                    checked.units.extend(self.unit(&artifact));
                    checked.files.extend(artifact.filenames.iter().cloned());
                    if !artifact.fresh {
                        checked.compiled.extend(artifact.filenames.iter().cloned());
                    }
                    if self.is_client(&artifact.package_id)
                        && artifact.target.kind.contains(&TargetKind::ProcMacro)
                    {
                        let files = artifact.filenames.iter().map(|path| path.to_string());
                        let name = package_name(&artifact.package_id);
                        checked.macros.extend(files.map(|file| (name.clone(), file)));
                    }
                }
                Ok(Message::BuildScriptExecuted(script)) => {
                    let is_client = self.is_client(&script.package_id);
                    let package = package_name(&script.package_id);
                    checked.scripts.add(package, is_client, script);
                }
                Ok(Message::CompilerMessage(message))
                    if message.message.level == DiagnosticLevel::Error =>
                {
                    let text = message.message.rendered.unwrap_or(message.message.message);
                    errors.push((package_name(&message.package_id), text));
                }
                _ => {}
            })?;
        if !ended.status.success() {
            self.wait(&checked);
            return Err(self.failure(what, version == Version::Old, &errors, &ended.stderr));
        }
        Ok((checked, ended.group))
    }

    /// Reads the programs, once the drivers have written them.
    fn read(&self, mut checked: Checked, group: Group) -> Checked {
        self.wait(&checked);
        drop(group);
        for unit in &mut checked.units {
            let program = program_file::read(&self.place.programs, &unit.file);
            let is_known = |krate: &Crate| krate.package.is_some() || krate.origin == Origin::Std;
            unit.program = program.filter(|program| program.crates.iter().all(is_known));
        }
        checked
    }

    fn wait(&self, checked: &Checked) {
        for unit in &checked.units {
            drop(background::lock(&self.place.programs, &unit.file));
        }
    }

    fn finish(&self, checked: Checked, moving: &HashSet<String>) -> Result<Build, Error> {
        let mut targets = Vec::new();
        for unit in checked.units {
            let mut program = unit.program.ok_or(Error::NoProgram { unit: unit.file })?;
            self.mark_client(&mut program, moving);
            loops::add_exit_type(&mut program);
            targets.push(BuiltTarget { name: unit.target, program });
        }
        targets.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Build { targets, scripts: checked.scripts, macros: checked.macros })
    }

    /// What of the client is built, as the user asked.
    fn select(&self, command: &mut Command) {
        let options = &self.cargo.options;
        command.args(["--target", &self.target]);
        for package in &self.client.packages {
            command.args(["-p", &format!("{}@{}", package.name, package.version)]);
        }
        if options.lib {
            command.arg("--lib");
        }
        for bin in &options.bin {
            command.args(["--bin", bin]);
        }
        self.cargo.add_build_flags(command);
    }

    /// What we need to know in rustc's place.
    fn instruct(&self, command: &mut Command) {
        command
            .env(wrapping::DRIVER_VARIABLE, &self.cargo.toolchain.driver)
            .env(wrapping::SYSROOT_VARIABLE, &self.sysroot)
            .env("CARGO_INCREMENTAL", "0");
    }

    /// Cargo takes a crate for fresh whose driver was killed, or whose program is gone. It compiles
    /// again what it does not find.
    fn forget(&self, checked: &Both<Checked>) -> Result<(), Error> {
        let units = checked.iter().flat_map(|side| &side.units);
        for unit in units.filter(|unit| unit.program.is_none()) {
            let _ = fs::remove_file(&unit.metadata);
        }
        Ok(())
    }

    /// A file is gone that says which package a crate is of. Which one cannot be known.
    fn clear(&self, _: &Both<Checked>) -> Result<(), Error> {
        let directory = &self.place.target;
        fs::remove_dir_all(directory).map_err(|source| Error::Io {
            context: format!("cannot remove {}", directory.display()),
            source,
        })?;
        create_directory(directory)
    }

    fn failure(
        &self,
        what: &str,
        is_old: bool,
        errors: &[(String, String)],
        stderr: &str,
    ) -> Error {
        let detail = match errors {
            [] => stderr.trim().to_owned(),
            errors => errors.iter().map(|(_, text)| text.as_str()).collect::<String>(),
        };
        if detail.contains("No space left on device") {
            return Error::DiskFull { path: self.place.target.clone() };
        }
        match errors.first() {
            Some((package, _)) if self.client.packages.iter().any(|it| it.name == *package) => {
                Error::DoesNotCompile {
                    client: package.clone(),
                    with: what.to_owned(),
                    old: is_old,
                    detail,
                }
            }
            Some((package, _)) => {
                Error::CargoFailed { what: format!("compile {package} for {what}"), detail }
            }
            None => Error::CargoFailed { what: format!("build the client with {what}"), detail },
        }
    }

    fn unit(&self, artifact: &Artifact) -> Option<Unit> {
        if !self.is_client(&artifact.package_id) {
            return None;
        }
        let kinds = &artifact.target.kind;
        let kind = if kinds.contains(&TargetKind::Bin) {
            model::TargetKind::Binary(artifact.target.name.clone())
        } else if kinds.iter().any(is_library) {
            model::TargetKind::Library
        } else {
            return None;
        };
        let metadata = artifact.filenames.iter().find(|path| path.extension() == Some("rmeta"))?;
        let stem = metadata.file_stem()?;
        Some(Unit {
            target: ClientTarget { package: package_name(&artifact.package_id), kind },
            file: stem.strip_prefix("lib").unwrap_or(stem).to_owned(),
            metadata: metadata.clone().into_std_path_buf(),
            program: None,
        })
    }

    fn is_client(&self, id: &PackageId) -> bool {
        let name = package_name(id);
        id.repr.starts_with("path+") && self.client.packages.iter().any(|it| it.name == name)
    }

    /// All members of the workspace are the user's own code, but for what the upgrade moves.
    fn mark_client(&self, program: &mut Program, moving: &HashSet<String>) {
        let members: HashSet<(String, String)> = self
            .client
            .metadata
            .workspace_packages()
            .iter()
            .map(|package| (package.name.to_string(), package.version.to_string()))
            .filter(|(name, _)| !moving.contains(name))
            .collect();
        for krate in &mut program.crates {
            if let Some(package) = &krate.package
                && members.contains(&(package.name.clone(), package.version.clone()))
            {
                krate.origin = Origin::Client;
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    OneByOne,
    /// The old side's programs are made and read while cargo builds the new side.
    Overlapping,
}

#[derive(Default)]
struct Checked {
    units: Vec<Unit>,
    /// What was built, and what of it was not there before.
    files: HashSet<Utf8PathBuf>,
    compiled: HashSet<Utf8PathBuf>,
    scripts: Scripts,
    macros: BTreeSet<(String, String)>,
}

impl Checked {
    /// Where a name is the same on both sides whatever it stands for, it is made another one.
    fn rename(&mut self, side: &str) {
        self.scripts.overwritten = true;
        let macros = mem::take(&mut self.macros).into_iter();
        self.macros = macros.map(|(package, file)| (package, format!("{side} {file}"))).collect();
    }

    fn is_complete(&self) -> bool {
        self.units.iter().all(|unit| unit.program.is_some())
    }
}

/// A compiled target of the client.
struct Unit {
    target: ClientTarget,
    /// What its files are called.
    file: String,
    metadata: PathBuf,
    /// None where the driver's output is not complete.
    program: Option<Program>,
}

/// Whether the new side's files took the place of the old side's. Cargo calls a crate the same in all
/// revisions of one branch of a repository.
fn are_mixed(Both { old, new }: &Both<Checked>) -> bool {
    !old.files.is_disjoint(&new.compiled)
}

fn is_library(kind: &TargetKind) -> bool {
    matches!(
        kind,
        TargetKind::Lib
            | TargetKind::RLib
            | TargetKind::DyLib
            | TargetKind::CDyLib
            | TargetKind::StaticLib
    )
}

/// The name in an identifier such as `registry+…#hex@0.4.3`, `path+file:///a/hex#0.4.3` or
/// `git+https://host/hex?rev=1#0.4.3`.
fn package_name(id: &PackageId) -> String {
    let (source, fragment) = id.repr.rsplit_once('#').unwrap_or(("", &id.repr));
    let path = source.split('?').next().unwrap_or_default();
    match fragment.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => path.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_package_is_read_from_each_kind_of_identifier() {
        for id in [
            "registry+https://host/index#hex@0.4.3",
            "path+file:///a/hex#0.4.3",
            "path+file:///a/b#hex@0.4.3",
            "git+https://host/hex?rev=1/2#0.4.3",
        ] {
            assert_eq!(package_name(&PackageId { repr: id.into() }), "hex", "{id}");
        }
    }
}
