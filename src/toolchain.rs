//! The pinned toolchain and the tool's own parts, found without the help of the environment.
//!
//! In: the place of the running executable. Out: a [`Toolchain`], of which everything exists. The
//! driver and the solver lie beside `cargo-cse`; libz3 and the built standard libraries lie in
//! `../lib/cargo-cse`. The same holds for `target/release`, `target/debug` and an installed tool.
//!
//! **Invariant.** Nothing here depends on which toolchain is the user's default. Everything that is
//! missing is an error of its own, which says what to run.

pub mod sysroot;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use semver::Version;

use crate::error::Error;

/// As `rust-toolchain.toml` has it.
const CHANNEL: &str = env!("CSE_CHANNEL");
const HOST: &str = env!("CSE_HOST");
const RUST: &str = env!("CSE_RUST");
/// The toolchain that the tool was built with, where the driver looks for the compiler's library.
const BUILT_WITH: &str = env!("CSE_SYSROOT");

const LIBRARY_SOURCE: &str = "lib/rustlib/src/rust/library";

/// The pinned toolchain and the parts of the tool.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub channel: String,
    pub host: String,
    pub root: PathBuf,
    pub cargo: PathBuf,
    pub rustc: PathBuf,
    pub driver: PathBuf,
    pub solver: PathBuf,
    /// Where libz3 and the standard libraries with MIR are.
    pub parts: PathBuf,
}

/// Does in advance what the first check would have to wait for.
pub fn setup(announce: &mut dyn FnMut(&str)) -> Result<Toolchain, Error> {
    let toolchain = Toolchain::find()?;
    toolchain.z3_version()?;
    toolchain.mir_sysroot(&toolchain.host, announce)?;
    Ok(toolchain)
}

impl Toolchain {
    pub fn find() -> Result<Toolchain, Error> {
        let exe = env::current_exe().map_err(|source| Error::Io {
            context: "cannot tell where cargo-cse itself is".into(),
            source,
        })?;
        Toolchain::find_beside(&exe)
    }

    /// With the parts that belong to this executable.
    pub fn find_beside(exe: &Path) -> Result<Toolchain, Error> {
        let bin = exe.parent().expect("an executable is in a directory");
        Toolchain::find_from(bin, &possible_roots())
    }

    /// Takes the first of `roots` that exists; `bin` is where the executables of the tool are.
    fn find_from(bin: &Path, roots: &[PathBuf]) -> Result<Toolchain, Error> {
        let channel = CHANNEL.to_owned();
        let Some(root) = roots.iter().find(|root| root.is_dir()) else {
            return Err(Error::ToolchainMissing { name: channel });
        };
        let toolchain = Toolchain {
            channel,
            host: HOST.to_owned(),
            root: root.clone(),
            cargo: root.join("bin/cargo"),
            rustc: root.join("bin/rustc"),
            driver: bin.join("cargo-cse-driver"),
            solver: bin.join("cargo-cse-solver"),
            parts: bin.parent().unwrap_or(bin).join("lib/cargo-cse"),
        };
        toolchain.require_compiler()?;
        toolchain.require_parts()?;
        Ok(toolchain)
    }

    fn require_compiler(&self) -> Result<(), Error> {
        let name = || self.channel.clone();
        for path in [&self.cargo, &self.rustc] {
            if !path.is_file() {
                return Err(Error::ToolchainBroken { name: name(), path: path.clone() });
            }
        }
        let libraries = self.root.join("lib");
        if !has_library(&libraries, "librustc_driver-") {
            let path = libraries.join("librustc_driver-*.so");
            return Err(Error::ToolchainBroken { name: name(), path });
        }
        if !self.root.join(LIBRARY_SOURCE).join("std/Cargo.toml").is_file() {
            return Err(Error::ComponentMissing { name: name(), component: "rust-src" });
        }
        Ok(())
    }

    fn require_parts(&self) -> Result<(), Error> {
        let missing = |what, path: &Path| Error::PartMissing { what, path: path.to_owned() };
        if !self.driver.is_file() {
            return Err(missing("the compiler driver", &self.driver));
        }
        if !self.solver.is_file() {
            return Err(missing("the solver", &self.solver));
        }
        if !has_library(&self.parts, "libz3.so.") {
            return Err(missing("Z3's library", &self.parts.join("libz3.so.*")));
        }
        Ok(())
    }

    /// The Rust version of the compiler.
    pub fn rust_version(&self) -> Version {
        RUST.parse().expect("rustc's version is a version")
    }

    /// What cargo starts in rustc's place: this tool, which is beside its driver.
    pub fn wrapper(&self) -> PathBuf {
        self.driver.with_file_name("cargo-cse")
    }

    /// The version of the Z3 that will be used, such as `5.4.0.0`.
    pub fn z3_version(&self) -> Result<String, Error> {
        let output = Command::new(&self.solver).arg("--version").output();
        let output = output.map_err(|source| Error::Io {
            context: format!("cannot run {}", self.solver.display()),
            source,
        })?;
        let text = String::from_utf8_lossy(&output.stdout);
        match text.trim_end().strip_prefix("Z3 ") {
            Some(version) if output.status.success() => Ok(version.to_owned()),
            _ => Err(Error::SolverBroken {
                status: output.status,
                detail: String::from_utf8_lossy(&output.stderr).trim_end().to_owned(),
            }),
        }
    }
}

/// First the one whose library the driver is linked to; the same toolchain may have moved since.
fn possible_roots() -> Vec<PathBuf> {
    let rustup_home = env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let rustup_home = rustup_home.or_else(|| Some(env::home_dir()?.join(".rustup")));
    let installed = rustup_home.map(|home| home.join(format!("toolchains/{CHANNEL}-{HOST}")));
    [PathBuf::from(BUILT_WITH)].into_iter().chain(installed).collect()
}

fn has_library(directory: &Path, prefix: &str) -> bool {
    let mut entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A toolchain and a tool of empty files, with everything that is looked for.
    struct Layout(tempfile::TempDir);

    impl Layout {
        fn complete() -> Layout {
            let layout = Layout(tempfile::tempdir().unwrap());
            for file in [
                "toolchain/bin/cargo",
                "toolchain/bin/rustc",
                "toolchain/lib/librustc_driver-0123.so",
                "toolchain/lib/rustlib/src/rust/library/std/Cargo.toml",
                "tool/bin/cargo-cse-driver",
                "tool/bin/cargo-cse-solver",
                "tool/lib/cargo-cse/libz3.so.5.4",
            ] {
                let path = layout.0.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            layout
        }

        fn without(part: &str) -> Layout {
            let layout = Layout::complete();
            let path = layout.0.path().join(part);
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
            layout
        }

        fn find(&self) -> Result<Toolchain, Error> {
            let base = self.0.path();
            Toolchain::find_from(
                &base.join("tool/bin"),
                &[base.join("moved"), base.join("toolchain")],
            )
        }

        /// What the user reads: the message and the help.
        fn complaint(&self) -> (String, String) {
            let error = self.find().unwrap_err();
            let base = format!("{}/", self.0.path().display());
            (error.to_string().replace(&base, ""), error.help())
        }
    }

    fn install() -> String {
        format!(
            "`rustup toolchain install {CHANNEL} --profile minimal -c rustc-dev -c rust-src -c llvm-tools`"
        )
    }

    #[test]
    fn parts_are_found_from_the_place_of_the_executable() {
        let layout = Layout::complete();
        let toolchain = layout.find().unwrap();
        assert_eq!(toolchain.root, layout.0.path().join("toolchain"));
        assert_eq!(toolchain.driver, layout.0.path().join("tool/bin/cargo-cse-driver"));
        assert_eq!(toolchain.parts, layout.0.path().join("tool/lib/cargo-cse"));
    }

    #[test]
    fn a_missing_toolchain_or_component_is_installed_by_one_command() {
        let (message, help) = Layout::without("toolchain").complaint();
        assert_eq!(message, format!("the toolchain {CHANNEL} is not installed"));
        assert_eq!(help, format!("run {}", install()));

        let (message, help) = Layout::without("toolchain/lib/rustlib/src").complaint();
        assert_eq!(message, format!("the toolchain {CHANNEL} lacks the component rust-src"));
        assert_eq!(help, format!("run {}", install()));
    }

    #[test]
    fn a_damaged_toolchain_is_uninstalled_first_because_rustup_would_keep_it() {
        for file in ["bin/cargo", "bin/rustc", "lib/librustc_driver-0123.so"] {
            let (message, help) = Layout::without(&format!("toolchain/{file}")).complaint();
            let file = file.replace("0123", "*");
            assert_eq!(
                message,
                format!("the toolchain {CHANNEL} is damaged: toolchain/{file} is missing")
            );
            assert_eq!(
                help,
                format!("run `rustup toolchain uninstall {CHANNEL}`, then {}", install())
            );
        }
    }

    #[test]
    fn a_missing_part_of_the_tool_is_brought_by_installing_it_again() {
        for (part, message) in [
            ("bin/cargo-cse-driver", "the compiler driver is missing: tool/bin/cargo-cse-driver"),
            ("bin/cargo-cse-solver", "the solver is missing: tool/bin/cargo-cse-solver"),
            ("lib/cargo-cse", "Z3's library is missing: tool/lib/cargo-cse/libz3.so.*"),
        ] {
            let complaint = Layout::without(&format!("tool/{part}")).complaint();
            let help = "run `make install` again where you cloned cargo-cse";
            assert_eq!(complaint, (message.to_owned(), help.to_owned()));
        }
    }

    #[test]
    fn a_solver_that_does_not_start_is_no_version() {
        let mut toolchain = Layout::complete().find().unwrap();
        toolchain.solver = "false".into();
        let error = toolchain.z3_version().unwrap_err();
        assert_eq!(error.to_string(), "the solver does not start: exit status: 1");
    }
}
