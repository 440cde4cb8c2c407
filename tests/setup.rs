//! The tool finds its parts by itself, or says what to run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// With nothing but a search path, from a directory that has nothing to do with it.
fn setup(cargo_cse: &Path) -> Output {
    let mut command = Command::new(cargo_cse);
    command.args(["cse", "setup"]).current_dir("/").env_clear().env("PATH", "/usr/bin:/bin");
    command.output().unwrap()
}

#[test]
fn a_build_runs_from_any_directory_without_environment_variables() {
    let output = setup(Path::new(env!("CARGO_BIN_EXE_cargo-cse")));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.ends_with("and Z3 5.4.0.0\n"), "{text}");
}

#[test]
fn cargo_cse_starts_without_its_parts_and_says_how_to_get_them() {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let alone = directory.path().join("cargo-cse");
    // A copy could still be open for writing in a child that another test starts, and a file that
    // is cannot be run.
    fs::hard_link(env!("CARGO_BIN_EXE_cargo-cse"), &alone).unwrap();
    let output = setup(&alone);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(text.starts_with("error: the compiler driver is missing"), "{text}");
    assert!(text.contains("help: run `make install` again"), "{text}");
}

#[test]
fn the_driver_starts_without_environment_variables() {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-cse-driver"))
        .arg("--version")
        .env_clear()
        .output()
        .unwrap();
    // It speaks for itself: its libraries were found.
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("cargo-cse-driver is started by `cargo cse`"), "{text}");
}
