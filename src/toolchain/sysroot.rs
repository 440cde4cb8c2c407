//! The standard library with MIR for every function, which the one that rustup ships lacks.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use rustc_build_sysroot::{BuildMode, SysrootBuilder, SysrootConfig};

use super::{LIBRARY_SOURCE, Toolchain};
use crate::error::Error;

/// MIR for everything, with functions kept apart: inlining would drag the library's unsafe code
/// into the user's functions.
const RUSTFLAGS: [&str; 3] = ["-Zalways-encode-mir", "-Zinline-mir=no", "-Zmir-opt-level=1"];

/// The one crate of the standard library that is for programs that abort on panic. The compiler
/// refuses it for them if it was not compiled that way itself.
const PANIC_ABORT: &str = "panic_abort";

/// Tells a process that it stands in rustc's place in a build of the standard library.
const WRAPPER_VARIABLE: &str = "CARGO_CSE_BUILDS_STD";

const UNFINISHED: &str = ".building-";

/// Runs rustc for a crate of the standard library, if cargo started this process for that.
pub fn run_if_called() -> Option<ExitCode> {
    env::var_os(WRAPPER_VARIABLE)?;
    let mut arguments = env::args_os().skip(1);
    let mut rustc = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    if arguments.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == PANIC_ABORT) {
        rustc.arg("-Cpanic=abort");
    }
    let error = rustc.args(arguments).exec();
    eprintln!("error: cannot run {}: {error}", rustc.get_program().display());
    Some(ExitCode::FAILURE)
}

impl Toolchain {
    /// Where the standard library is, once it is built.
    pub fn mir_sysroot_path(&self, target: &str) -> PathBuf {
        self.parts.join(format!("sysroot-{}", self.key(target)))
    }

    /// The directory to give to `--sysroot`. Builds it on first use; `announce` is told before
    /// anything that takes long.
    pub fn mir_sysroot(
        &self,
        target: &str,
        announce: &mut dyn FnMut(&str),
    ) -> Result<PathBuf, Error> {
        let sysroot = self.mir_sysroot_path(target);
        if sysroot.is_dir() {
            return Ok(sysroot);
        }
        let unwritable = |source| Error::PartsUnwritable { path: self.parts.clone(), source };
        let _lock = lock(&self.parts.join(".lock"), announce).map_err(unwritable)?;
        if sysroot.is_dir() {
            return Ok(sysroot);
        }
        remove_unfinished(&self.parts).map_err(unwritable)?;
        let scratch = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.parts);
        let scratch = scratch.map_err(unwritable)?;
        let config = match self.has_std(target)? {
            true => SysrootConfig::WithStd { std_features: Vec::new() },
            false => SysrootConfig::NoStd,
        };
        announce(&format!("building the standard library for {target}, once; about 40 s"));
        let built = self.build(target, config, scratch.path())?;
        fs::rename(built, &sysroot).map_err(unwritable)?;
        Ok(sysroot)
    }

    /// The same for what would be built the same.
    fn key(&self, target: &str) -> String {
        let inputs = [&[self.channel.as_str(), target, PANIC_ABORT], RUSTFLAGS.as_slice()].concat();
        blake3::hash(inputs.join("\n").as_bytes()).to_hex()[..16].to_owned()
    }

    fn build(&self, target: &str, config: SysrootConfig, scratch: &Path) -> Result<PathBuf, Error> {
        let failed = |detail| Error::SysrootFailed {
            name: self.channel.clone(),
            target: target.to_owned(),
            detail,
        };
        let version = rustc_version::VersionMeta::for_command(Command::new(&self.rustc))
            .map_err(|error| failed(error.to_string()))?;
        let sysroot = scratch.join("sysroot");
        SysrootBuilder::new(&sysroot, target)
            .build_mode(BuildMode::Check)
            .sysroot_config(config)
            .rustflags(RUSTFLAGS)
            .rustc_version(version)
            .cargo(self.isolated_cargo(&scratch.join("home")))
            .build_from_source(&self.root.join(LIBRARY_SOURCE))
            .map_err(|error| failed(format!("{error:#}")))?;
        Ok(sysroot)
    }

    /// Whether the target has the whole standard library, or `core` and `alloc` only.
    fn has_std(&self, target: &str) -> Result<bool, Error> {
        let mut rustc = Command::new(&self.rustc);
        rustc.args(["-Zunstable-options", "--print", "target-spec-json", "--target", target]);
        let output = rustc.output().map_err(|source| Error::Io {
            context: format!("cannot run {}", self.rustc.display()),
            source,
        })?;
        let spec = serde_json::from_slice::<serde_json::Value>(&output.stdout);
        match spec {
            Ok(spec) if output.status.success() => {
                Ok(spec["metadata"]["std"].as_bool().unwrap_or(true))
            }
            _ => Err(Error::TargetUnknown {
                target: target.to_owned(),
                detail: String::from_utf8_lossy(&output.stderr).trim_end().to_owned(),
            }),
        }
    }

    /// Cargo without anything of the user's: no environment, no configuration, no registry. The
    /// result must depend on the key alone.
    fn isolated_cargo(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.cargo);
        let meddling = ["CARGO", "__CARGO", "RUST", "MAKEFLAGS", "MFLAGS"];
        for (name, _) in env::vars_os() {
            if meddling.iter().any(|start| name.as_encoded_bytes().starts_with(start.as_bytes())) {
                command.env_remove(name);
            }
        }
        command.env("RUSTC", &self.rustc).env("CARGO_HOME", home);
        command.env("RUSTC_WRAPPER", self.wrapper()).env(WRAPPER_VARIABLE, "1");
        // Configuration is searched from the working directory up.
        command.current_dir("/");
        let vendor = self.root.join(LIBRARY_SOURCE).join("vendor");
        let vendor = toml_edit::Value::from(vendor.to_string_lossy().into_owned());
        command.args(["--offline", "--config", "source.crates-io.replace-with='library'"]);
        command.arg("--config").arg(format!("source.library.directory={vendor}"));
        command
    }
}

/// Waits until no other run builds here.
fn lock(path: &Path, announce: &mut dyn FnMut(&str)) -> io::Result<File> {
    let file = File::create(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            announce("waiting for another run, which builds the standard library");
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => return Err(error),
    }
    Ok(file)
}

/// What a run that was killed left behind.
fn remove_unfinished(parts: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parts)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::BUILT_WITH;

    fn toolchain(parts: &Path) -> Toolchain {
        let nowhere = PathBuf::from("/nonexistent");
        Toolchain {
            channel: "nightly".into(),
            host: "host".into(),
            root: nowhere.clone(),
            cargo: nowhere.clone(),
            rustc: nowhere.clone(),
            driver: nowhere.clone(),
            solver: nowhere,
            parts: parts.to_owned(),
        }
    }

    #[test]
    fn a_built_sysroot_is_used_without_a_word() {
        let parts = tempfile::tempdir().unwrap();
        let toolchain = toolchain(parts.path());
        let built = parts.path().join(format!("sysroot-{}", toolchain.key("host")));
        fs::create_dir(&built).unwrap();
        let found = toolchain.mir_sysroot("host", &mut |text| panic!("{text}")).unwrap();
        assert_eq!(found, built);
    }

    #[test]
    fn each_target_has_its_own_sysroot() {
        let toolchain = toolchain(Path::new("/nonexistent"));
        assert_ne!(toolchain.key("a"), toolchain.key("b"));
    }

    #[test]
    fn a_failure_leaves_nothing_and_clears_what_a_killed_run_left() {
        let parts = tempfile::tempdir().unwrap();
        fs::create_dir(parts.path().join(".building-killed")).unwrap();
        toolchain(parts.path()).mir_sysroot("host", &mut |_| ()).unwrap_err();
        let left = fs::read_dir(parts.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), [".lock"]);
    }

    #[test]
    fn a_target_that_does_not_exist_is_refused_before_anything_is_announced() {
        let parts = tempfile::tempdir().unwrap();
        let mut toolchain = toolchain(parts.path());
        toolchain.rustc = Path::new(BUILT_WITH).join("bin/rustc");
        let error = toolchain.mir_sysroot("pdp-11", &mut |text| panic!("{text}")).unwrap_err();
        assert_eq!(error.to_string(), "the compiler does not know the target pdp-11");
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = toolchain(file.path()).mir_sysroot("host", &mut |_| ()).unwrap_err();
        assert!(matches!(error, Error::PartsUnwritable { .. }));
        assert!(error.to_string().contains(&file.path().display().to_string()));
    }
}
