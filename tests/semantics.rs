//! What the language and std's plain functions mean is followed: every probe is decided, and rightly.
//!
//! `fixtures/semantics/probes` has functions in two bodies each. The dependency's old version has the
//! first ones, its new version the second ones, and the client calls all. A name that ends in `_eq`
//! says that the bodies do the same, one in `_neq` that they do not.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

#[test]
fn every_probe_is_decided_and_rightly_so() {
    let directory = TempDir::new().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/semantics"), directory.path());
    let run = Command::new(env!("CARGO_BIN_EXE_cargo-cse"))
        .args(["cse", "check", "dep", "--to", "path:../new", "--message-format", "json"])
        .args(["--offline", "--timeout", "1200"])
        .current_dir(directory.path().join("client"))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&run.stderr)));
    let entries = report["upgrades"][0]["entries"].as_array().expect("it has entry points");
    assert!(entries.len() > 400, "all probes are entry points");
    let wrong: Vec<String> = entries.iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), entries.len(), wrong.join("\n"));
}

/// What is wrong with the verdict on a probe.
fn complaint(entry: &Value) -> Option<String> {
    let name = entry["function"].as_str().expect("it has a name");
    let expected = match name.rsplit_once('_') {
        Some((_, "eq")) => "equivalent",
        Some((_, "neq")) => "different",
        _ => panic!("{name} says whether its bodies do the same"),
    };
    (entry["verdict"] != expected)
        .then(|| format!("{name}: {}, {}", entry["verdict"], entry["reason"]))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}
