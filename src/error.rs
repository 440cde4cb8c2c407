//! Everything that can keep a run from a verdict, each with its cause and the next step.

use std::path::PathBuf;
use std::process::ExitStatus;

use semver::Version;

use crate::exit::Exit;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the toolchain {name} is not installed")]
    ToolchainMissing { name: String },
    #[error("the toolchain {name} lacks the component {component}")]
    ComponentMissing { name: String, component: &'static str },
    #[error("the toolchain {name} is damaged: {} is missing", path.display())]
    ToolchainBroken { name: String, path: PathBuf },
    #[error("{what} is missing: {}", path.display())]
    PartMissing { what: &'static str, path: PathBuf },
    #[error("the solver does not start: {status}")]
    SolverBroken { status: ExitStatus, detail: String },
    #[error("cannot write to {}: {source}", path.display())]
    PartsUnwritable { path: PathBuf, source: std::io::Error },
    #[error("the compiler does not know the target {target}")]
    TargetUnknown { target: String, detail: String },
    #[error("cannot build the standard library for {target}")]
    SysrootFailed { name: String, target: String, detail: String },
    #[error("{context}: {source}")]
    Io { context: String, source: std::io::Error },
    #[error("`{filter}` does not say what to log")]
    LogFilter { filter: String, detail: String },
    #[error("interrupted")]
    Interrupted,
    #[error("the upgrade took longer than --timeout allows")]
    TimedOut,
    #[error("{client} does not compile with {with}")]
    DoesNotCompile { client: String, with: String, old: bool, detail: String },
    #[error("the driver left no program for {unit}")]
    NoProgram { unit: String },
    #[error("neither version reaches a function `{name}`")]
    NoSuchFunction { name: String, near: Vec<String> },
    #[error("{}", match name {
        Some(name) => format!("there is no kept test `{name}`"),
        None => "no test is kept here".to_owned(),
    })]
    NoSuchTest { name: Option<String>, existing: Vec<String> },
    #[error("there is no Cargo.toml here")]
    NoManifest { detail: String },
    #[error("cargo cannot read the workspace")]
    BrokenManifest { detail: String },
    #[error("the workspace has no package `{package}`")]
    NoSuchPackage { package: String, members: Vec<String> },
    #[error("the client does not depend on `{name}`")]
    NotADependency { name: String, near: Vec<String> },
    #[error("`{name}` occurs more than once: {}", versions.join(", "))]
    Ambiguous { name: String, versions: Vec<String> },
    #[error("`{name}` has no version {version}{}", known(existing))]
    NoSuchVersion { name: String, version: String, existing: Vec<String>, detail: String },
    #[error("{by} requires `{requirement}`, which {package} does not meet")]
    Forbidden { package: String, requirement: String, by: String, detail: String },
    #[error("no set of versions contains {name} {version}")]
    Conflict { name: String, version: String, detail: String },
    #[error(
        "`{name}` is not named in a Cargo.toml of this workspace, so that its source cannot be replaced"
    )]
    NotReplaceable { name: String },
    #[error("{} is not a package: it has no Cargo.toml with a [package]", directory.display())]
    NotAPackage { directory: PathBuf },
    #[error("{} is the package `{found}`, not `{name}`", directory.display())]
    OtherPackage { directory: PathBuf, found: String, name: String },
    #[error("the git repository {url} has no revision `{revision}`")]
    NoSuchRevision { url: String, revision: String, detail: String },
    #[error("the git repository {url} cannot be read, or has no package `{name}`")]
    GitFailed { url: String, name: String, detail: String },
    #[error("the network cannot be reached")]
    NoNetwork { detail: String },
    #[error("something needed is not on this machine, and cargo is told to stay offline")]
    NotDownloaded { detail: String },
    #[error("{} cannot be written: {source}", path.display())]
    NotWritable { path: PathBuf, source: std::io::Error },
    #[error("the disk is full: {} cannot be written", path.display())]
    DiskFull { path: PathBuf },
    #[error("{package} needs Rust {needed}, and cargo-cse works with {toolchain}")]
    RustTooOld { package: String, needed: Version, toolchain: String },
    #[error("Cargo.lock is not up to date, and --locked forbids to change it")]
    LockOutdated { detail: String },
    #[error("--locked forbids to write Cargo.lock")]
    LockedForbidsWriting,
    #[error("Cargo.lock changed while the upgrades were checked; nothing was written")]
    LockChanged,
    #[error("cargo failed to {what}")]
    CargoFailed { what: String, detail: String },
}

fn known(existing: &[String]) -> String {
    match existing {
        [] => String::new(),
        _ => format!("; there are {}", existing.join(", ")),
    }
}

impl Error {
    /// What the user can do about it; empty where there is nothing to add.
    pub fn help(&self) -> String {
        match self {
            Error::ToolchainMissing { name } | Error::ComponentMissing { name, .. } => {
                format!("run `{}`", install(name))
            }
            Error::ToolchainBroken { name, .. } => {
                format!("run `rustup toolchain uninstall {name}`, then `{}`", install(name))
            }
            Error::PartMissing { .. } | Error::SolverBroken { .. } => {
                "run `make install` again where you cloned cargo-cse".into()
            }
            Error::PartsUnwritable { .. } => {
                "make it writable for you, or let its owner run this once".into()
            }
            Error::TargetUnknown { .. } => {
                "`rustc --print target-list` lists those it knows".into()
            }
            Error::SysrootFailed { name, .. } => format!(
                "needed are a C compiler, free disk space and an intact toolchain: to renew that, run \
                 `rustup toolchain uninstall {name}`, then `{}`",
                install(name)
            ),
            Error::DoesNotCompile { old: true, .. } => {
                "`cargo check` must work before an upgrade can be checked".into()
            }
            Error::DoesNotCompile { .. } => {
                "the API changed: the client has to be adapted before it can take this version"
                    .into()
            }
            Error::LogFilter { .. } => {
                "CARGO_CSE_LOG is a level, as in `debug`, or levels of parts, as in \
                 `cargo_cse::solver=trace`"
                    .into()
            }
            Error::TimedOut => "allow more time, or leave out --timeout".into(),
            Error::NoProgram { .. } => "remove target/cse and run it again".into(),
            Error::NoSuchFunction { near, .. } if !near.is_empty() => {
                format!("did you mean {}?", near.join(" or "))
            }
            Error::NoSuchFunction { .. } => {
                "name a function that `cargo cse check` lists, or a part of its name".into()
            }
            Error::NoSuchTest { existing, .. } if !existing.is_empty() => {
                format!("the kept tests are {}", existing.join(", "))
            }
            Error::NoSuchTest { .. } => {
                "`cargo cse check` keeps a test for every difference that it finds".into()
            }
            Error::NoManifest { .. } => {
                "run cargo cse inside a package, or name one with --manifest-path".into()
            }
            Error::BrokenManifest { .. } => {
                "`cargo check` must work before an upgrade can be checked".into()
            }
            Error::NoSuchPackage { members, .. } => {
                format!("its packages are {}", members.join(", "))
            }
            Error::NotADependency { near, .. } if !near.is_empty() => {
                format!("did you mean {}?", near.join(" or "))
            }
            Error::NotADependency { .. } => "`cargo tree` lists its dependencies".into(),
            Error::Ambiguous { .. } => "say which one with --from VERSION".into(),
            Error::NoSuchVersion { name, .. } => format!("`cargo info {name}` shows what there is"),
            Error::Forbidden { by, .. } => {
                format!("choose a version that it allows, or upgrade {by} first")
            }
            Error::Conflict { .. } => {
                "choose another version, or upgrade what conflicts with it first".into()
            }
            Error::NotReplaceable { name } => {
                format!("name a crate that depends on {name} by path or git, and replace that one")
            }
            Error::NotAPackage { .. } | Error::OtherPackage { .. } => {
                "give the directory that holds the dependency's own Cargo.toml".into()
            }
            Error::NoSuchRevision { .. } => "give a commit, a tag or a branch".into(),
            Error::GitFailed { url, .. } => format!("`git ls-remote {url}` must work"),
            Error::NoNetwork { .. } => {
                "use --offline to check versions that are on this machine already".into()
            }
            Error::NotDownloaded { .. } => {
                "run once without --offline, --frozen or a setting that says the same".into()
            }
            Error::NotWritable { .. } => "choose another directory with --target-dir".into(),
            Error::DiskFull { .. } => {
                "free some space, or choose another directory with --target-dir; then run again"
                    .into()
            }
            Error::RustTooOld { .. } => {
                "choose a version with an older `rust-version`, or a newer cargo-cse".into()
            }
            Error::LockOutdated { .. } => {
                "run `cargo update --workspace`, or leave out --locked".into()
            }
            Error::LockedForbidsWriting => "leave out --locked, or add --dry-run".into(),
            Error::LockChanged => "run it again".into(),
            Error::Io { .. } | Error::Interrupted | Error::CargoFailed { .. } => String::new(),
        }
    }

    /// What cargo or the compiler said, word for word; empty where the error is our own.
    pub fn detail(&self) -> &str {
        match self {
            Error::SolverBroken { detail, .. }
            | Error::TargetUnknown { detail, .. }
            | Error::DoesNotCompile { detail, .. }
            | Error::SysrootFailed { detail, .. }
            | Error::NoManifest { detail }
            | Error::BrokenManifest { detail }
            | Error::NoSuchVersion { detail, .. }
            | Error::Forbidden { detail, .. }
            | Error::Conflict { detail, .. }
            | Error::NoSuchRevision { detail, .. }
            | Error::GitFailed { detail, .. }
            | Error::NoNetwork { detail }
            | Error::NotDownloaded { detail }
            | Error::LockOutdated { detail }
            | Error::LogFilter { detail, .. }
            | Error::CargoFailed { detail, .. } => detail,
            _ => "",
        }
    }

    pub fn exit(&self) -> Exit {
        Exit::Incomplete
    }
}

fn install(toolchain: &str) -> String {
    format!(
        "rustup toolchain install {toolchain} --profile minimal -c rustc-dev -c rust-src -c llvm-tools"
    )
}
