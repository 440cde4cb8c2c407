//! Builds programs for both sides of an upgrade, as the client's own binaries are built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{CompilerMessage, Message, TargetKind};
use serde_json::Value;
use tempfile::TempDir;

use crate::cargo::Cargo;
use crate::error::Error;
use crate::model::{BuildFailure, NotRun};
use crate::upgrade::{
    BuildSide, Client, ClientPackage, create_directory, with_binary, write_if_changed,
};
use crate::version::{Both, Version};

/// What the generated binary is called in the client's package.
const NAME: &str = "cse-witness";

/// Sources and manifests lie in one place of a workspace: one build at a time writes there.
static TURN: Mutex<()> = Mutex::new(());

pub struct Builder<'a> {
    pub cargo: &'a Cargo,
    pub client: &'a Client,
    pub package: &'a ClientPackage,
    pub sides: Both<BuildSide>,
    pub dependency: &'a str,
    /// The dependency with its version, for messages.
    pub names: Both<String>,
}

/// The program, built with the old and with the new version.
#[derive(Debug)]
pub struct Executables {
    pub paths: Both<PathBuf>,
    /// Removed with its content at the end.
    _directory: TempDir,
}

/// Why there is no program.
#[derive(Debug)]
pub enum Failed {
    /// This file of the program does not compile.
    File(String, NotRun),
    Other(NotRun),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        let detail = error.detail().lines().find(|line| !line.trim().is_empty());
        Failed::Other(NotRun::Failed(match detail {
            Some(detail) => format!("{error}: {}", detail.trim()),
            None => error.to_string(),
        }))
    }
}

impl Builder<'_> {
    /// Builds a generated program from files with their names; the first is the root.
    pub fn program(&self, files: &[(String, String)]) -> Result<Executables, Failed> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = self.directory().join("source");
        for (name, text) in files {
            write_if_changed(&directory.join(name), text)?;
        }
        let root = directory.join(&files[0].0);
        let manifest = &self.package.manifest_path;
        let with_program = |side| with_binary(self.client, side, manifest, NAME, &root);
        self.both(&self.sides.as_ref().try_map(with_program)?, NAME)
    }

    /// Builds a binary of the client.
    pub fn binary(&self, name: &str) -> Result<Executables, Failed> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        self.both(&self.sides, name)
    }

    fn both(&self, sides: &Both<BuildSide>, name: &str) -> Result<Executables, Failed> {
        let directory = self.directory();
        create_directory(&directory)?;
        let io = |source| Error::Io { context: "cannot keep what was built".to_owned(), source };
        let kept = TempDir::with_prefix_in("built-", &directory).map_err(io)?;
        let paths = Both::try_from_fn(|version| {
            let built = self.build(&sides[version], name, &self.names[version])?;
            // The other version's build takes its place.
            let path = kept.path().join(match version {
                Version::Old => "old",
                Version::New => "new",
            });
            fs::copy(&built, &path).map_err(io)?;
            Ok::<_, Failed>(path)
        })?;
        Ok(Executables { paths, _directory: kept })
    }

    fn build(&self, side: &BuildSide, name: &str, version: &str) -> Result<PathBuf, Failed> {
        side.enter()?;
        let mut command = self.command(side, name);
        command.args(["--message-format", "json"]);
        if self.may_optimise(side, name) {
            self.optimise(&mut command);
            // Where packages differ, it has a say in which crate generates a small function.
            command.env("CARGO_INCREMENTAL", "0");
        }
        let mut executable = None;
        let mut errors: Vec<CompilerMessage> = Vec::new();
        let ended = self.cargo.stream(command, |line| match serde_json::from_str(line) {
            Ok(Message::CompilerArtifact(artifact))
                if artifact.target.name == name
                    && artifact.target.kind.contains(&TargetKind::Bin) =>
            {
                executable = artifact.executable.map(|path| path.into_std_path_buf());
            }
            Ok(Message::CompilerMessage(message))
                if message.message.level == DiagnosticLevel::Error =>
            {
                errors.push(message);
            }
            _ => {}
        })?;
        match executable {
            Some(executable) if ended.status.success() => Ok(executable),
            _ => Err(failure(&errors, &ended.stderr, version)),
        }
    }

    /// A command that builds a binary of the client.
    fn command(&self, side: &BuildSide, name: &str) -> Command {
        let mut command = self.cargo.command("build");
        side.apply(&mut command);
        command.args(["--bin", name]);
        command.args(["-p", &format!("{}@{}", self.package.name, self.package.version)]);
        command.args(["--target", &self.cargo.target()]);
        command.arg("--target-dir").arg(self.directory().join("target"));
        self.cargo.add_build_flags(&mut command);
        // Nobody debugs it, and it takes most of the room.
        let profile = self.cargo.options.build.profile_name();
        command.args(["--config", &format!("profile.{profile}.debug=false")]);
        command
    }

    /// Whether code stays what it is when it is optimised a little: not where the packages of the
    /// build check differently, because crates then generate small functions of others, with their
    /// own checks. Errs towards no.
    fn may_optimise(&self, side: &BuildSide, name: &str) -> bool {
        let build = &self.cargo.options.build;
        if build.release || build.profile.as_ref().is_some_and(|it| it != "dev") {
            return false;
        }
        let mut command = self.command(side, name);
        command.args(["-Zunstable-options", "--unit-graph"]);
        let graph = self.cargo.run(command).ok();
        graph.and_then(|it| serde_json::from_slice(&it.stdout).ok()).is_some_and(|it| agrees(&it))
    }

    /// Optimises a little what changes and what calls it: loops that run very long then come to their
    /// end in time. What a profile checks stays as it is.
    fn optimise(&self, command: &mut Command) {
        for package in [self.dependency, &self.package.name] {
            let key = format!("profile.dev.package.\"{package}\".opt-level");
            command.args(["--config", &format!("{key}=1")]);
        }
    }

    fn directory(&self) -> PathBuf {
        self.client.private.join("witness")
    }
}

/// Whether all that is built for the target, by cargo's plan, checks the same.
fn agrees(graph: &Value) -> bool {
    let Some(units) = graph["units"].as_array() else {
        return false;
    };
    let mut checks = units.iter().filter(|unit| !unit["platform"].is_null()).map(|unit| {
        let profile = &unit["profile"];
        ["overflow_checks", "debug_assertions", "rustflags"].map(|it| profile.get(it))
    });
    let first = checks.next();
    first.is_some_and(|first| checks.all(|it| it == first))
}

fn failure(errors: &[CompilerMessage], stderr: &str, version: &str) -> Failed {
    let with = version.to_owned();
    let Some(first) = errors.first() else {
        let line = stderr.lines().find(|line| line.starts_with("error"));
        let line = line.unwrap_or("error: cargo did not say why");
        let failure = BuildFailure::Cargo { with, message: line.to_owned() };
        return Failed::Other(NotRun::Build(failure));
    };
    let message = first.message.message.clone();
    if first.target.name != NAME {
        let failure = BuildFailure::Package { name: first.target.name.clone(), with, message };
        return Failed::Other(NotRun::Build(failure));
    }
    let reason = NotRun::Build(BuildFailure::Call { with, message });
    let span = first.message.spans.iter().find(|span| span.is_primary);
    match span.and_then(|span| Path::new(&span.file_name).file_name()) {
        Some(file) => Failed::File(file.to_string_lossy().into_owned(), reason),
        None => Failed::Other(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_check_differently_do_not_agree() {
        let unit = |platform: Value, checks: bool| {
            let profile =
                serde_json::json!({ "overflow_checks": checks, "debug_assertions": true });
            serde_json::json!({ "platform": platform, "profile": profile })
        };
        let graph = |units: &[Value]| serde_json::json!({ "units": units });
        assert!(agrees(&graph(&[unit("here".into(), true), unit(Value::Null, false)])));
        assert!(!agrees(&graph(&[unit("here".into(), true), unit("here".into(), false)])));
        assert!(!agrees(&Value::Null));
    }
}
