//! The whole tool on real crates from the registry.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use cargo_cse::report::schema::{ChangeKind, Report, Upgrade, Verdict};
use tempfile::TempDir;

/// A library package in a directory of its own.
struct Client {
    directory: TempDir,
}

impl Client {
    /// `dependencies` are sections of the manifest.
    fn new(dependencies: &str, code: &str) -> Client {
        let directory = TempDir::new().unwrap();
        let manifest = format!(
            "[package]\nname = \"client\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{dependencies}\n"
        );
        fs::write(directory.path().join("Cargo.toml"), manifest).unwrap();
        fs::create_dir(directory.path().join("src")).unwrap();
        fs::write(directory.path().join("src/lib.rs"), code).unwrap();
        Client { directory }
    }

    /// Judges one upgrade. `exit` is the exit code that the verdict is expected to give.
    fn check(&self, request: &str, from: &str, exit: i32) -> Upgrade {
        self.run(&mut self.command(request, from), exit)
    }

    fn command(&self, request: &str, from: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-cse"));
        command
            .args(["cse", "check", request, "--from", from, "--message-format", "json"])
            .current_dir(&self.directory)
            .env("CARGO_TERM_COLOR", "never");
        command
    }

    fn run(&self, command: &mut Command, exit: i32) -> Upgrade {
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(exit), "{stderr}");
        let mut report: Report = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report.upgrades.len(), 1, "{stderr}");
        report.upgrades.remove(0)
    }

    /// What the driver wrote.
    fn programs(&self) -> Vec<Vec<u8>> {
        let entries = |path: PathBuf| fs::read_dir(path).unwrap().map(|it| it.unwrap().path());
        let builds = entries(self.path("target/cse")).filter(|it| it.join("programs").is_dir());
        let files = builds.flat_map(|it| entries(it.join("programs")));
        let mut programs: Vec<_> =
            files.filter(|it| it.extension().is_some_and(|it| it == "program")).collect();
        programs.sort();
        programs.iter().map(|path| fs::read(path).unwrap()).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

fn verdict(upgrade: &Upgrade, entry: &str) -> Verdict {
    let found = upgrade.entries.iter().find(|it| it.function == entry);
    found.unwrap_or_else(|| panic!("no entry point {entry}")).verdict
}

#[test]
fn a_release_that_changes_nothing_in_use_is_equivalent() {
    let client = Client::new(
        "[dependencies]\nhex = \"0.4\"",
        "pub fn show(bytes: &[u8]) -> String { hex::encode(bytes) }\n\
         pub fn read(text: &str) -> Option<Vec<u8>> { hex::decode(text).ok() }\n",
    );
    let upgrade = client.check("hex@0.4.3", "0.4.2", 0);
    assert_eq!(upgrade.verdict, Some(Verdict::Equivalent));
    for name in ["client::show", "client::read"] {
        assert_eq!(verdict(&upgrade, name), Verdict::Equivalent);
    }
    assert!(upgrade.functions.reachable > 10, "{:?}", upgrade.functions);
    assert_eq!(upgrade.functions.identical, upgrade.functions.reachable);
    assert!(upgrade.call_sites.is_empty());
}

#[test]
fn a_call_into_changed_code_is_unknown_and_is_pointed_at() {
    let client = Client::new(
        "[dependencies]\nitoa = \"1\"",
        "pub fn show(value: u32) -> String {\n    let mut buffer = itoa::Buffer::new();\n    \
         buffer.format(value).to_owned()\n}\n\npub fn double(value: u32) -> u32 {\n    value * 2\n}\n",
    );
    let upgrade = client.check("itoa@1.0.18", "1.0.17", 102);
    assert_eq!(upgrade.verdict, Some(Verdict::Unknown));
    assert_eq!(verdict(&upgrade, "client::show"), Verdict::Unknown);
    assert_eq!(verdict(&upgrade, "client::double"), Verdict::Equivalent);
    let sites: Vec<_> = upgrade
        .call_sites
        .iter()
        .map(|site| (site.file.as_str(), site.line, site.column, site.callee.as_str()))
        .collect();
    assert_eq!(sites, [("src/lib.rs", 3, 5, "itoa::Buffer::format::<u32>")]);
}

#[test]
fn a_dependency_of_a_dependency_can_be_named() {
    let client = Client::new(
        "[dependencies]\nform_urlencoded = \"=1.2.2\"",
        "pub fn first(query: &str) -> Option<String> {\n    \
         form_urlencoded::parse(query.as_bytes()).next().map(|(key, _)| key.into_owned())\n}\n",
    );
    let upgrade = client.check("percent-encoding@2.3.2", "2.3.1", 0);
    assert_eq!(upgrade.dependency, "percent-encoding");
    assert_eq!(upgrade.verdict, Some(Verdict::Equivalent));
    assert_eq!(verdict(&upgrade, "client::first"), Verdict::Equivalent);
}

#[test]
fn what_a_procedural_macro_generates_in_the_client_is_compared() {
    let client = Client::new(
        "[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }",
        "#[derive(serde::Serialize)]\npub struct Point {\n    pub x: i32,\n}\n\n\
         pub fn sum(point: &Point) -> i32 {\n    point.x + 1\n}\n",
    );
    let upgrade = client.check("serde@1.0.228", "1.0.227", 0);
    assert_eq!(upgrade.verdict, Some(Verdict::Equivalent));
    let derive = upgrade.moved.iter().find(|moved| moved.name == "serde_derive");
    assert!(derive.is_some(), "the macros move with serde: {:?}", upgrade.moved);
    let derived = |name: &str| name.contains("Serialize") && name.contains("client::Point");
    assert!(upgrade.entries.iter().any(|entry| derived(&entry.function)), "{:?}", upgrade.entries);
}

#[test]
fn what_a_macro_expands_to_in_the_client_is_compared() {
    let client = Client::new(
        "[dependencies]\nbitflags = \"1\"",
        "bitflags::bitflags! {\n    pub struct Mode: u32 {\n        const READ = 1;\n    }\n}\n",
    );
    let upgrade = client.check("bitflags@1.3.2", "1.2.1", 102);
    assert_eq!(verdict(&upgrade, "client::Mode::is_all"), Verdict::Unknown);
    assert_eq!(verdict(&upgrade, "client::Mode::contains"), Verdict::Equivalent);
    let changed = upgrade.changed.iter().find(|it| it.function == "client::Mode::is_all");
    assert_eq!(changed.expect("it changed").kind, ChangeKind::Changed);
}

#[test]
fn a_pinned_version_can_be_left_without_touching_the_manifest() {
    let client = Client::new(
        "[dependencies]\nhex = \"=0.4.2\"",
        "pub fn show(bytes: &[u8]) -> String { hex::encode(bytes) }\n",
    );
    let manifest = fs::read(client.path("Cargo.toml")).unwrap();
    let upgrade = client.check("hex@0.4.3", "0.4.2", 0);
    assert_eq!((upgrade.from.as_str(), upgrade.to.as_str()), ("0.4.2", "0.4.3"));
    assert_eq!(upgrade.verdict, Some(Verdict::Equivalent));
    assert_eq!(manifest, fs::read(client.path("Cargo.toml")).unwrap());
}

#[test]
fn a_dependency_that_only_tests_use_is_equivalent_for_that_reason() {
    let client = Client::new(
        "[dev-dependencies]\nfnv = \"1\"",
        "pub fn double(value: u32) -> u32 { value * 2 }\n",
    );
    let upgrade = client.check("fnv@1.0.7", "1.0.6", 0);
    assert_eq!(upgrade.verdict, Some(Verdict::Equivalent));
    assert_eq!(upgrade.reason_code.as_deref(), Some("only-tests"));
}

#[test]
fn published_code_is_the_same_whether_or_not_its_borrows_are_checked() {
    let client = Client::new(
        "[dependencies]\nfutures-lite = \"2\"",
        "use futures_lite::{StreamExt, future, stream};\n\n\
         pub fn sum(upto: u32) -> u32 {\n    \
             let even = stream::iter(0..upto).filter(|it| it % 2 == 0).then(|it| async move { it });\n    \
             future::block_on(async { future::zip(even.fold(0, |a, b| a + b), async { 1 }).await.0 })\n\
         }\n",
    );
    client.check("futures-lite@2.6.1", "2.6.0", 0);
    let programs = client.programs();
    assert_eq!(programs.len(), 2);
    fs::remove_dir_all(client.path("target")).unwrap();
    // Behind a wrapper of the user's stands the plain compiler.
    let mut command = client.command("futures-lite@2.6.1", "2.6.0");
    client.run(command.env("RUSTC_WRAPPER", "/usr/bin/env"), 0);
    assert!(programs == client.programs());
}
