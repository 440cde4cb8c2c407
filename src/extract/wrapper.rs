//! What cargo calls in place of rustc (`RUSTC_WRAPPER`): chooses how each crate is compiled.
//!
//! Build scripts, procedural macros and cargo's own questions get the plain compiler. Everything
//! else keeps all its MIR. Crates of the client go through the driver, and so do published ones, whose
//! borrows it does not check again. A wrapper that the user has configured still stands before the
//! compiler, for everything but the client.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use super::background;
use super::program_file::{Compiled, package_from_environment, write_compiled};
use super::settings::{LinkFlags, Settings, features, used_units};
use crate::cargo::wrapping::{
    CLIENT_FLAGS, DEPENDENTS_VARIABLE, DIRECTORY_VARIABLE, DRIVER_VARIABLE, FLAGS,
    PUBLISHED_VARIABLE, SYSROOT_VARIABLE, USERS_WRAPPER_VARIABLE,
};

/// Runs as the wrapper, if cargo started this process as one.
pub fn run_if_called() -> Option<ExitCode> {
    let directory = env::var_os(DIRECTORY_VARIABLE)?;
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if arguments.is_empty() {
        return None;
    }
    let rustc = arguments.remove(0);
    let crate_ = Crate::of(&arguments);
    let mut command = match (&crate_, env::var_os(USERS_WRAPPER_VARIABLE)) {
        (Crate::Client, _) => Command::new(env::var_os(DRIVER_VARIABLE)?),
        (Crate::Published, None) => {
            let mut command = Command::new(env::var_os(DRIVER_VARIABLE)?);
            command.env(PUBLISHED_VARIABLE, "1");
            command
        }
        (_, Some(wrapper)) => {
            let mut command = Command::new(wrapper);
            command.arg(&rustc);
            command
        }
        (_, None) => Command::new(&rustc),
    };
    command.args(&arguments);
    if asked_by_script() {
        command.env("RUSTC_BOOTSTRAP", "-1");
    }
    if !matches!(crate_, Crate::Host) {
        command.args(FLAGS).arg("--sysroot").args(env::var_os(SYSROOT_VARIABLE));
    }
    // Also for the host: the client may re-export a procedural macro.
    if let (Some(package), Some(unit)) = (package_from_environment(), unit(&arguments)) {
        let compiled = Compiled {
            package,
            features: features(&arguments),
            settings: Settings::of(&arguments),
            uses: used_units(&arguments),
            link_flags: LinkFlags::of(&arguments),
        };
        if let Err(error) = write_compiled(directory.as_ref(), &unit, &compiled) {
            eprintln!("error: cargo cse cannot write {unit}.package: {error}");
            return Some(ExitCode::FAILURE);
        }
    }
    if matches!(crate_, Crate::Client) {
        command.args(CLIENT_FLAGS);
    }
    let program = command.get_program().display().to_string();
    let started = match crate_ {
        Crate::Client if env::var_os(background::VARIABLE).is_some() => background::start(command),
        _ => Err(command.exec()),
    };
    Some(started.unwrap_or_else(|error| {
        eprintln!("error: cannot run {program}: {error}");
        ExitCode::FAILURE
    }))
}

/// Whether a build script runs the compiler, to find out what it can do. It is to say what a stable one
/// would: the crate is written for the features that a nightly of its own time had.
fn asked_by_script() -> bool {
    // Of what cargo starts, only scripts have it.
    env::var_os("NUM_JOBS").is_some()
}

enum Crate {
    /// For this machine, to run while building; and cargo's own questions to the compiler.
    Host,
    /// Of a package as `cargo publish` makes it, after it has built it; and not with what moves.
    Published,
    Dependency,
    Client,
}

impl Crate {
    fn of(arguments: &[OsString]) -> Crate {
        let has = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
        let has_target = arguments.iter().any(|argument| {
            argument == "--target" || argument.to_string_lossy().starts_with("--target=")
        });
        // A crate that is compiled has a name and an output; a question to the compiler has not.
        let compiles = has("--crate-name") && !has("___") && has("--out-dir");
        match env::var_os("CARGO_PRIMARY_PACKAGE") {
            _ if !has_target || !compiles => Crate::Host,
            Some(_) => Crate::Client,
            None if has("--cap-lints") && was_published() => Crate::Published,
            None => Crate::Dependency,
        }
    }
}

/// Whether cargo made the package that is being compiled, in which it leaves the manifest as it was
/// written, and no dependency of it moves: then it has been compiled like this before.
fn was_published() -> bool {
    let (Ok(name), Some(directory), Ok(dependents)) = (
        env::var("CARGO_PKG_NAME"),
        env::var_os("CARGO_MANIFEST_DIR"),
        env::var(DEPENDENTS_VARIABLE),
    ) else {
        return false;
    };
    Path::new(&directory).join("Cargo.toml.orig").is_file()
        && !dependents.split(',').any(|it| it == name)
}

/// The name of the compiled crate's files: `name-hash`.
pub fn unit(arguments: &[OsString]) -> Option<String> {
    let after = |wanted: &str| {
        let at = arguments.iter().position(|argument| argument == wanted)?;
        arguments.get(at + 1)?.to_str()
    };
    let extra = arguments
        .iter()
        .filter_map(|argument| OsStr::to_str(argument))
        .find_map(|argument| argument.trim_start_matches("-C").strip_prefix("extra-filename="))?;
    Some(format!("{}{extra}", after("--crate-name")?))
}
