//! The command line: what can be asked, in cargo's own words where cargo has them.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::cargo::{BuildOptions, CargoOptions, PackageSelection};
use crate::upgrade::{Named, Spec, UpgradeRequest};

/// Tells whether a dependency upgrade changes what your crate does.
///
/// Each upgrade is equivalent (proved for every input), different (an input is shown), or unknown
/// (the reason is shown).
#[derive(Debug, Parser)]
#[command(name = "cargo cse", bin_name = "cargo cse", version, styles = clap_cargo::style::CLAP_STYLING)]
#[command(after_help = "Examples:
  cargo cse check                     everything that `cargo update` would move
  cargo cse check serde_json          to the newest version that the manifest allows
  cargo cse check regex@1.10.0        to this version, also where the manifest forbids it
  cargo cse update                    write the equivalent upgrades into Cargo.lock

Exit codes: 0 every upgrade is equivalent; 100 one is different; 102 one is unknown and none is
different; 101 the run could not be completed; 2 the command line could not be understood.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Check(Check),
    Update(Update),
    Show(Show),
    Replay(Replay),
    /// Prepare the parts that the first run would prepare.
    #[command(hide = true)]
    Setup,
}

/// Check upgrades and change nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo cse check                               everything that `cargo update` would move
  cargo cse check hex semver                    two dependencies, each on its own
  cargo cse check hex@0.4.3 --from 0.4.2        two given versions
  cargo cse check hex --to path:../hex          a version on disk
  cargo cse check hex --to git:https://github.com/KokaKiwi/rust-hex#v0.4.3")]
pub struct Check {
    #[command(flatten)]
    pub upgrades: Upgrades,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub insight: Insight,
    #[command(flatten)]
    pub options: Options,
}

/// Check upgrades, then write those that are equivalent into Cargo.lock.
///
/// One Cargo.lock serves the whole workspace, so all members are checked unless -p names some.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo cse update                    every upgrade that is equivalent
  cargo cse update hex@0.4.3          this one, if it is equivalent
  cargo cse update --dry-run          say what would be written")]
pub struct Update {
    /// Dependencies to upgrade, each to the version given or the newest that the manifest allows
    #[arg(value_name = "DEP[@VERSION]")]
    pub dependencies: Vec<Named>,
    /// Write nothing, and say what would be written
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub insight: Insight,
    #[command(flatten)]
    pub options: Options,
}

/// Show the control-flow automaton of a function, old and new.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo cse show hex::encode hex@0.4.3
  cargo cse show hex::encode hex@0.4.3 --dot | dot -Tsvg > encode.svg")]
pub struct Show {
    /// The function's path, or the end of it
    pub function: String,
    /// Print a Graphviz graph
    #[arg(long)]
    pub dot: bool,
    /// Show the normal form, in which versions are compared
    #[arg(long)]
    pub normal: bool,
    /// Show loops as functions of their own, one version after the other
    #[arg(long, conflicts_with = "dot")]
    pub loops: bool,
    /// Show the source as it is written, old beside new
    #[arg(long, conflicts_with_all = ["dot", "normal", "loops"])]
    pub source: bool,
    #[command(flatten)]
    pub upgrades: Upgrades,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub options: Options,
}

/// Run kept tests again, with both versions.
///
/// A check keeps a test for every difference that it has seen. Exit codes: 100 one still differs; 0
/// none does; 101 one could not be run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo cse replay                              all tests that are kept
  cargo cse replay client-parse-1a2b3c          this one")]
pub struct Replay {
    /// A test's name, or its directory [default: all]
    pub test: Option<String>,
    /// Time that one call may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// What is printed on stdout
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    #[command(flatten)]
    pub options: Options,
}

/// Which upgrades.
#[derive(Debug, Args)]
pub struct Upgrades {
    /// Dependencies to check; without any, all that `cargo update` would move
    #[arg(value_name = "DEP[@VERSION]")]
    pub dependencies: Vec<Named>,
    /// Upgrade from: a version, path:DIR or git:URL#REV [default: the locked version]
    #[arg(long, value_name = "SPEC")]
    pub from: Option<Spec>,
    /// Upgrade to: a version, path:DIR or git:URL#REV [default: the newest the manifest allows]
    #[arg(long, value_name = "SPEC")]
    pub to: Option<Spec>,
}

#[derive(Debug, Args)]
pub struct Output {
    /// Time that one upgrade may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// What is printed on stdout
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
}

/// What shows how verdicts come about.
#[derive(Debug, Args)]
pub struct Insight {
    /// Write each question to the solver, with its answer, into a file of this directory (SMT-LIB)
    #[arg(long, value_name = "DIRECTORY", help_heading = "Display Options")]
    pub dump_queries: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    Human,
    Json,
}

/// Cargo's own flags, with cargo's own meaning.
#[derive(Clone, Debug, Default, Args)]
pub struct Options {
    #[command(flatten, next_help_heading = "Package Selection")]
    pub workspace: clap_cargo::Workspace,
    /// Check only the library
    #[arg(long, help_heading = "Target Selection")]
    pub lib: bool,
    /// Check only this binary
    #[arg(long, value_name = "NAME", help_heading = "Target Selection")]
    pub bin: Vec<String>,
    #[command(flatten, next_help_heading = "Feature Selection")]
    pub features: clap_cargo::Features,
    /// Build in release mode
    #[arg(short = 'r', long, conflicts_with = "profile", help_heading = "Compilation Options")]
    pub release: bool,
    /// Build with this profile
    #[arg(long, value_name = "PROFILE", help_heading = "Compilation Options")]
    pub profile: Option<String>,
    /// Build for this target triple
    #[arg(long, value_name = "TRIPLE", help_heading = "Compilation Options")]
    pub target: Option<String>,
    /// Directory for everything generated
    #[arg(long, value_name = "DIRECTORY", help_heading = "Compilation Options")]
    pub target_dir: Option<PathBuf>,
    /// Number of jobs to run at once
    #[arg(
        short,
        long,
        value_name = "N",
        help_heading = "Compilation Options",
        allow_hyphen_values = true
    )]
    pub jobs: Option<String>,
    #[command(flatten, next_help_heading = "Manifest Options")]
    pub manifest: clap_cargo::Manifest,
    /// Require that Cargo.lock is up to date, and do not write it
    #[arg(long, help_heading = "Manifest Options")]
    pub locked: bool,
    /// Run without the network
    #[arg(long, help_heading = "Manifest Options")]
    pub offline: bool,
    /// Both --locked and --offline
    #[arg(long, help_heading = "Manifest Options")]
    pub frozen: bool,
    /// Say nothing but the result
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Display Options")]
    pub quiet: bool,
    /// Say more; twice to log on stderr what is tried, how long it takes and why it fails
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Display Options")]
    pub verbose: u8,
    /// Colour: auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        help_heading = "Display Options"
    )]
    pub color: clap::ColorChoice,
}

impl Options {
    /// The arguments that say what of the client is built and how, for commands that others are to run.
    pub fn selection(&self) -> Vec<String> {
        let mut selection: Vec<String> = Vec::new();
        let mut add =
            |name: &str, value: &str| selection.extend([name.to_owned(), value.to_owned()]);
        let bins = self.bin.iter().map(|it| ("--bin", it));
        let packages = self.workspace.package.iter().map(|it| ("-p", it));
        let features = self.features.features.iter().map(|it| ("-F", it));
        let profile = self.profile.iter().map(|it| ("--profile", it));
        let target = self.target.iter().map(|it| ("--target", it));
        let valued = packages.chain(bins).chain(features).chain(profile).chain(target);
        valued.for_each(|(name, value)| add(name, value));
        let flags = [
            ("--workspace", self.workspace.workspace || self.workspace.all),
            ("--lib", self.lib),
            ("--all-features", self.features.all_features),
            ("--no-default-features", self.features.no_default_features),
            ("--release", self.release),
        ];
        selection
            .extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(it, _)| (*it).to_owned()));
        selection
    }

    /// What of it is for cargo.
    pub fn for_cargo(&self) -> CargoOptions {
        CargoOptions {
            packages: PackageSelection {
                all: self.workspace.workspace || self.workspace.all,
                named: self.workspace.package.clone(),
                excluded: self.workspace.exclude.clone(),
            },
            lib: self.lib,
            bin: self.bin.clone(),
            build: BuildOptions {
                features: self.features.features.clone(),
                all_features: self.features.all_features,
                no_default_features: self.features.no_default_features,
                release: self.release,
                profile: self.profile.clone(),
            },
            target: self.target.clone(),
            target_dir: self.target_dir.clone(),
            jobs: self.jobs.clone(),
            manifest_path: self.manifest.manifest_path.clone(),
            locked: self.locked || self.frozen,
            offline: self.offline || self.frozen,
        }
    }
}

impl Cli {
    /// Reads the arguments of `cargo-cse check …` and of `cargo-cse cse check …`, which is how cargo
    /// calls a subcommand.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut arguments: Vec<_> = arguments.into_iter().collect();
        if arguments.get(1).is_some_and(|argument| argument == "cse") {
            arguments.remove(1);
        }
        let cli = Cli::from_arg_matches(&Cli::command().try_get_matches_from(arguments)?)?;
        match &cli.command {
            Command::Check(Check { upgrades, .. }) | Command::Show(Show { upgrades, .. }) => {
                upgrades.validate()?;
            }
            Command::Update(_) | Command::Replay(_) | Command::Setup => {}
        }
        Ok(cli)
    }
}

impl Upgrades {
    pub fn requests(&self) -> Vec<UpgradeRequest> {
        let request = |named: &Named| UpgradeRequest {
            name: named.name.clone(),
            from: self.from.clone(),
            to: named.version.clone().map(Spec::Version).or(self.to.clone()),
        };
        self.dependencies.iter().map(request).collect()
    }

    fn validate(&self) -> Result<(), clap::Error> {
        let refuse =
            |text: &str| Cli::command().error(clap::error::ErrorKind::ArgumentConflict, text);
        let one_side = self.from.is_some() || self.to.is_some();
        if one_side && self.dependencies.len() != 1 {
            return Err(refuse(
                "--from and --to need exactly one dependency, as in `cargo cse check hex --to 0.4.3`",
            ));
        }
        if self.to.is_some() && self.dependencies.iter().any(|named| named.version.is_some()) {
            return Err(refuse("the new version is given twice: after `@` and by --to"));
        }
        Ok(())
    }
}

impl Update {
    pub fn requests(&self) -> Vec<UpgradeRequest> {
        let request = |named: &Named| UpgradeRequest {
            name: named.name.clone(),
            from: None,
            to: named.version.clone().map(Spec::Version),
        };
        self.dependencies.iter().map(request).collect()
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("a time-out is more than 0 seconds".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Cli, clap::Error> {
        Cli::read(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn cargo_may_call_it_as_a_subcommand() {
        for line in ["cargo-cse check hex@0.4.3", "cargo-cse cse check hex@0.4.3"] {
            let Command::Check(check) = read(line).unwrap().command else { panic!("{line}") };
            let requests = check.upgrades.requests();
            assert_eq!(requests[0].name, "hex");
            assert_eq!(requests[0].to, Some(Spec::Version("0.4.3".parse().unwrap())));
        }
    }

    #[test]
    fn the_new_version_is_given_once() {
        let error = read("cargo-cse check hex@0.4.3 --to 0.4.2").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert_eq!(read("cargo-cse check a b --to 0.4.2").unwrap_err().exit_code(), 2);
    }
}
