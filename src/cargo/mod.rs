//! Runs the pinned cargo, as the user's own cargo would run, where the user is.
//!
//! **Invariant.** What an outer cargo or rustup left in the environment does not reach it; what the
//! user configured (rustflags, registries, cargo home) does.
//!
//! `options` is what the user asks of cargo, `wrapping` what the commands say to the tool in rustc's
//! place.

mod options;
pub mod wrapping;

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::OnceLock,
    thread,
};

use toml_edit::{DocumentMut, Item, Value};

use crate::{
    error::Error,
    interrupt::{self, Group},
    toolchain::Toolchain,
};

pub use options::{BuildOptions, CargoOptions, PackageSelection};

/// What says where cargo puts what is no end result. Set, it is a template, in which braces have a
/// meaning.
const BUILD_DIR_VARIABLE: &str = "CARGO_BUILD_BUILD_DIR";

/// The pinned cargo with the user's options.
#[derive(Debug)]
pub struct Cargo {
    pub toolchain: Toolchain,
    pub options: CargoOptions,
    configured: OnceLock<Configured>,
}

/// What the user's environment and configuration files say, where cargo-cse has to combine it with
/// its own.
#[derive(Clone, Debug, Default)]
pub struct Configured {
    pub rustc_wrapper: Option<PathBuf>,
    pub rustc_workspace_wrapper: Option<PathBuf>,
    /// `build.target`, which `--target` overrides.
    pub targets: Vec<String>,
    pub has_build_dir: bool,
}

/// Where cargo works for the tool. There it keeps what the compiler answers, so that planning and
/// building ask once, and the answers of the user's own toolchain stay where they are.
#[derive(Clone, Debug)]
pub struct BuildDirectory {
    /// Cargo's target directory. Cargo remembers only where it exists already.
    pub target: PathBuf,
    /// Where the driver writes.
    pub programs: PathBuf,
}

/// How the names of such directories begin.
pub const PLACE_PREFIX: &str = "build-";

/// How a streamed run ended.
pub struct StreamedRun {
    pub status: ExitStatus,
    pub stderr: String,
    /// While it lives, a signal ends what cargo left in the background too.
    pub group: Group,
}

impl Cargo {
    pub fn new(toolchain: &Toolchain, options: &CargoOptions) -> Cargo {
        Cargo {
            toolchain: toolchain.clone(),
            options: options.clone(),
            configured: OnceLock::new(),
        }
    }

    /// A cargo command with the flags that every call shares. It runs in the current directory, so
    /// that cargo reads the configuration files that the user expects.
    pub fn command(&self, subcommand: &str) -> Command {
        let mut command = self.bare();
        command.args([subcommand, "--color", "never"]);
        if self.options.offline {
            command.arg("--offline");
        }
        command
    }

    /// A command that works in a place of ours, with ourselves in rustc's place. Cargo remembers the
    /// compiler's answers for each wrapper separately, so all commands have the same.
    pub fn command_in(&self, place: &BuildDirectory, subcommand: &str) -> Command {
        let mut command = self.command(subcommand);
        command
            .env("CARGO_TARGET_DIR", &place.target)
            .env("RUSTC_WRAPPER", self.toolchain.wrapper())
            .env(wrapping::DIRECTORY_VARIABLE, &place.programs);
        let configured = self.configured();
        if configured.has_build_dir {
            command.env(BUILD_DIR_VARIABLE, &place.target);
        }
        if configured.rustc_workspace_wrapper.is_some() {
            // Empty switches it off. Where there is none, it would keep cargo from remembering what
            // the compiler answered.
            command.env("RUSTC_WORKSPACE_WRAPPER", "");
        }
        if let Some(wrapper) = &configured.rustc_wrapper {
            command.env(wrapping::USERS_WRAPPER_VARIABLE, wrapper);
        }
        command
    }

    /// The place in the private directory of a workspace. It is another one when anything changes
    /// that cargo does not see: the tool, its flags, the standard library.
    pub fn place(&self, private: &Path) -> BuildDirectory {
        let toolchain = &self.toolchain;
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(text.as_bytes());
            hasher.update(b"\0");
        };
        add(env!("CARGO_PKG_VERSION"));
        wrapping::FLAGS.iter().chain(wrapping::CLIENT_FLAGS).for_each(|flag| add(flag));
        add(&toolchain.mir_sysroot_path(&self.target()).to_string_lossy());
        if let Ok(metadata) = fs::metadata(&toolchain.driver) {
            add(&metadata.len().to_string());
            add(&format!("{:?}", metadata.modified().ok()));
        }
        let key = hasher.finalize().to_hex();
        let directory = private.join(format!("{PLACE_PREFIX}{}", &key[..12]));
        BuildDirectory { target: directory.join("target"), programs: directory.join("programs") }
    }

    /// The triple that the client is built for.
    pub fn target(&self) -> String {
        match &self.options.target {
            Some(target) => target.clone(),
            None => match self.configured().targets.first() {
                Some(target) => target.clone(),
                None => self.toolchain.host.clone(),
            },
        }
    }

    /// Features, profile and jobs, as the user asked.
    pub fn add_build_flags(&self, command: &mut Command) {
        let build = &self.options.build;
        if build.all_features {
            command.arg("--all-features");
        }
        if build.no_default_features {
            command.arg("--no-default-features");
        }
        if !build.features.is_empty() {
            command.args(["--features", &build.features.join(",")]);
        }
        if build.release {
            command.arg("--release");
        }
        if let Some(profile) = &build.profile {
            command.args(["--profile", profile]);
        }
        if let Some(jobs) = &self.options.jobs {
            command.args(["--jobs", jobs]);
        }
    }

    /// Runs to the end and captures what it says. A failure of cargo is in the output's status.
    pub fn run(&self, command: Command) -> Result<Output, Error> {
        let (child, group) = self.start(command)?;
        let output = child.wait_with_output().map_err(|source| self.failed(source))?;
        drop(group);
        interrupt::check()?;
        Ok(output)
    }

    /// Runs to the end and hands over each line of stdout as it comes.
    pub fn stream(
        &self,
        command: Command,
        mut on_line: impl FnMut(&str),
    ) -> Result<StreamedRun, Error> {
        let (mut child, group) = self.start(command)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        });
        for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).split(b'\n')) {
            let line = line.map_err(|source| self.failed(source))?;
            on_line(&String::from_utf8_lossy(&line));
        }
        let status = child.wait().map_err(|source| self.failed(source))?;
        interrupt::check()?;
        Ok(StreamedRun { status, stderr: stderr.join().unwrap_or_default(), group })
    }

    /// What the user configured, read once. The environment comes before the files, as in cargo.
    pub fn configured(&self) -> &Configured {
        self.configured.get_or_init(|| {
            let mut configured = self.configured_in_files();
            if let Some(wrapper) = set(["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"]) {
                configured.rustc_wrapper = program_in_variable(wrapper);
            }
            let names = ["RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER"];
            if let Some(wrapper) = set(names) {
                configured.rustc_workspace_wrapper = program_in_variable(wrapper);
            }
            if let Some(target) = set(["CARGO_BUILD_TARGET"]) {
                configured.targets = vec![target.to_string_lossy().into_owned()];
            }
            configured.has_build_dir |= env::var_os(BUILD_DIR_VARIABLE).is_some();
            configured
        })
    }

    fn bare(&self) -> Command {
        let mut command = Command::new(&self.toolchain.cargo);
        for (name, _) in env::vars_os() {
            if is_left_by_an_outer_cargo(&name) {
                command.env_remove(name);
            }
        }
        if let Some(paths) = env::var_os("LD_LIBRARY_PATH") {
            let toolchains = self.toolchain.root.parent().unwrap_or(Path::new("/"));
            let kept = env::split_paths(&paths).filter(|path| !path.starts_with(toolchains));
            command.env("LD_LIBRARY_PATH", env::join_paths(kept).unwrap_or_default());
        }
        command.env("RUSTC", &self.toolchain.rustc);
        command
    }

    fn configured_in_files(&self) -> Configured {
        let mut command = self.bare();
        command.args(["config", "get", "build", "--show-origin", "-Zunstable-options"]);
        // It fails where nothing is configured, which is the usual case.
        let text = match self.run(command) {
            Ok(output) if output.status.success() => output.stdout,
            _ => return Configured::default(),
        };
        let Ok(document) = String::from_utf8_lossy(&text).parse::<DocumentMut>() else {
            return Configured::default();
        };
        let build = &document["build"];
        Configured {
            rustc_wrapper: program_in_file(build.get("rustc-wrapper")),
            rustc_workspace_wrapper: program_in_file(build.get("rustc-workspace-wrapper")),
            targets: match build.get("target") {
                Some(Item::Value(Value::Array(targets))) => {
                    targets.iter().filter_map(Value::as_str).map(String::from).collect()
                }
                Some(item) => item.as_str().map(String::from).into_iter().collect(),
                None => Vec::new(),
            },
            has_build_dir: build.get("build-dir").is_some(),
        }
    }

    fn start(&self, mut command: Command) -> Result<(Child, Group), Error> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.process_group(0).spawn().map_err(|source| self.failed(source))?;
        let group = Group::of(&child);
        Ok((child, group))
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Io { context: format!("cannot run {}", self.toolchain.cargo.display()), source }
    }
}

fn is_left_by_an_outer_cargo(name: &OsStr) -> bool {
    const NAMES: &[&str] = &[
        "CARGO",
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_MAKEFLAGS",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_RUSTC_CURRENT_DIR",
        "CARGO_TARGET_TMPDIR",
        "CARGO_BUILD_RUSTC",
        "CARGO_BUILD_RUSTC_WRAPPER",
        "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_RUSTDOC",
        "CARGO_RESOLVER_LOCKFILE_PATH",
        "MAKEFLAGS",
        "MFLAGS",
        "OUT_DIR",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTDOC",
        "RUSTUP_TOOLCHAIN",
        "RUSTUP_TOOLCHAIN_SOURCE",
        "RUST_RECURSION_COUNT",
    ];
    const PREFIXES: &[&str] = &["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_EXE_"];
    name.to_str().is_some_and(|name| {
        NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    })
}

fn set<const N: usize>(names: [&str; N]) -> Option<OsString> {
    names.into_iter().find_map(env::var_os)
}

/// An empty name switches a wrapper off.
fn some_program(name: OsString) -> Option<PathBuf> {
    (!name.is_empty()).then(|| PathBuf::from(name))
}

/// A program named in a variable. With a slash in it, it is relative to where the user is, and not to
/// where cargo starts it.
fn program_in_variable(name: OsString) -> Option<PathBuf> {
    let program = some_program(name)?;
    match program.components().count() {
        0 | 1 => Some(program),
        _ => Some(std::path::absolute(&program).unwrap_or(program)),
    }
}

/// A program named in a configuration file. With a slash in it, it is relative to the directory
/// that holds `.cargo`, which the comment that `--show-origin` prints tells.
fn program_in_file(item: Option<&Item>) -> Option<PathBuf> {
    let value = item?.as_value()?;
    let program = Path::new(value.as_str()?);
    if program.components().count() < 2 || program.is_absolute() {
        return some_program(program.into());
    }
    let origin = value.decor().suffix()?.as_str()?.trim().trim_start_matches('#').trim();
    Some(Path::new(origin).ancestors().nth(2)?.join(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_with_a_slash_is_found_from_its_configuration_file() {
        let text = "build.a = \"tools/w\" # /x/y/.cargo/config.toml\nbuild.b = \"sccache\" # /x\n";
        let document: DocumentMut = text.parse().unwrap();
        let program = |key| program_in_file(document["build"].get(key));
        assert_eq!(program("a"), Some("/x/y/tools/w".into()));
        assert_eq!(program("b"), Some("sccache".into()));
        assert_eq!(program("c"), None);
    }
}
