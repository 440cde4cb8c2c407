//! The generated crate on disk: built and run natively, and read as a program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use cargo_cse::cargo::wrapping;
use cargo_cse::cfa::Program;
use cargo_cse::extract::program_file;
use cargo_cse::toolchain::Toolchain;
use tempfile::TempDir;

use super::generate::Sources;

/// How a call ended, and the leaves of its result and of what its references point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub returned: bool,
    pub leaves: Vec<u128>,
}

pub struct Generated {
    directory: TempDir,
    toolchain: Toolchain,
}

const MANIFEST: &str = "[workspace]\n\n[package]\nname = \"generated\"\nversion = \"0.1.0\"\n\
    edition = \"2024\"\n\n[profile.dev]\ndebug = 0\nincremental = false\n";

impl Generated {
    pub fn new(sources: &Sources) -> Generated {
        let directory = TempDir::new().unwrap();
        let write = |path: &str, text: &str| fs::write(directory.path().join(path), text).unwrap();
        fs::create_dir(directory.path().join("src")).unwrap();
        write("Cargo.toml", MANIFEST);
        write("src/lib.rs", &sources.lib);
        write("src/main.rs", &sources.main);
        let toolchain = Toolchain::find_beside(Path::new(env!("CARGO_BIN_EXE_cargo-cse"))).unwrap();
        Generated { directory, toolchain }
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.toolchain.cargo);
        command
            .args(arguments)
            .args(["--offline", "--quiet", "--target", &self.toolchain.host])
            .current_dir(self.directory.path())
            .env("RUSTC", &self.toolchain.rustc)
            .env_remove("RUSTFLAGS");
        command
    }

    /// The library as the tool sees it.
    pub fn program(&self) -> Program {
        let programs = self.directory.path().join("programs");
        let sysroot = self
            .toolchain
            .mir_sysroot(&self.toolchain.host, &mut |text| eprintln!("{text}"))
            .unwrap();
        let mut command = self.cargo(&["check", "--lib", "--target-dir", "checked"]);
        command
            .env("RUSTC_WRAPPER", self.toolchain.wrapper())
            .env(wrapping::DIRECTORY_VARIABLE, &programs)
            .env(wrapping::DRIVER_VARIABLE, &self.toolchain.driver)
            .env(wrapping::SYSROOT_VARIABLE, &sysroot);
        assert!(command.status().unwrap().success(), "the generated crate is read");
        let unit = fs::read_dir(&programs)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.extension().is_some_and(|it| it == "program"))
            .expect("the driver writes a program");
        let unit = unit.file_stem().unwrap().to_str().unwrap();
        program_file::read(&programs, unit).expect("the program is whole")
    }

    /// Builds the program that runs the functions.
    pub fn build(&self) -> PathBuf {
        let built = self.cargo(&["build", "--target-dir", "built"]).status().unwrap();
        assert!(built.success(), "the generated crate compiles");
        let path = format!("built/{}/debug/generated", self.toolchain.host);
        self.directory.path().join(path)
    }
}

/// Calls functions by their numbers, each with the leaves of its arguments.
pub fn run(program: &Path, calls: &[(usize, Vec<u128>)]) -> Vec<Outcome> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            let mut text = String::new();
            for (function, leaves) in calls {
                text.push_str(&function.to_string());
                leaves.iter().for_each(|leaf| text.push_str(&format!(" {leaf}")));
                text.push('\n');
            }
            input.write_all(text.as_bytes()).unwrap();
        });
        child.wait_with_output().unwrap()
    });
    assert!(output.status.success(), "the generated program ends");
    let text = String::from_utf8(output.stdout).unwrap();
    let outcomes: Vec<Outcome> = text.lines().map(outcome).collect();
    assert_eq!(outcomes.len(), calls.len());
    outcomes
}

fn outcome(line: &str) -> Outcome {
    let mut words = line.split(' ');
    let returned = words.next() == Some("r");
    Outcome { returned, leaves: words.map(|it| it.parse().unwrap()).collect() }
}
