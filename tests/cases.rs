//! End-to-end cases as data: each folder `tests/cases/VERDICT/NAME` is an upgrade with the report
//! that is expected of it.
//!
//! `client.rs` is the library of a client, `main.rs` its binary (one of the two may be missing);
//! `old.rs` and `new.rs` are the two versions of its dependency `dep`. `client.toml` and `dep.toml`
//! are put at the end of the manifests. `SNAPSHOTS=overwrite` writes the reports that came out; the
//! verdict is the name of the folder above and is never overwritten. In a report, `[..]` and a line
//! `...` stand for what depends on how much time there was.

mod workspace;

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use snapbox::Assert;

use workspace::Workspace;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for verdict in folders(&root) {
        for case in folders(&verdict) {
            let verdict = file_name(&verdict);
            let name = format!("{verdict}::{}", file_name(&case));
            trials.push(Trial::test(name, move || check(&case, &verdict)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(case: &Path, verdict: &str) -> Result<(), Failed> {
    let read = |name: &str| fs::read_to_string(case.join(name)).ok();
    let required = |name: &str| read(name).ok_or(format!("{name} is missing"));
    let workspace = Workspace::new();
    for (directory, version, source) in [("old", "1.0.0", "old.rs"), ("new", "1.0.1", "new.rs")] {
        let rest = read("dep.toml").unwrap_or_default();
        workspace.write_package(directory, "dep", version, &rest);
        workspace.write(&format!("{directory}/src/lib.rs"), &required(source)?);
    }
    let rest = read("client.toml").unwrap_or_default();
    let dependency = "\n[dependencies.dep]\npath = \"../old\"\n";
    workspace.write_package("client", "client", "0.1.0", &format!("{rest}{dependency}"));
    for (from, to) in [("client.rs", "client/src/lib.rs"), ("main.rs", "client/src/main.rs")] {
        if let Some(source) = read(from) {
            workspace.write(to, &source);
        }
    }

    let run = workspace.check();
    if run.verdict() != verdict {
        return Err(
            format!("{}, not {verdict}:\n{}{}", run.verdict(), run.report, run.errors).into()
        );
    }
    if let Some(excerpt) = unexplained(&run.report) {
        return Err(format!("it does not say where the change ends, or why not:\n{excerpt}").into());
    }
    let report = snapbox::Data::read_from(&case.join("report.txt"), None);
    let assert = Assert::new().action_env("SNAPSHOTS");
    assert.try_eq(None, run.report.into(), report).map_err(|error| error.to_string().into())
}

/// A call site of which neither the boundary that contains it is shown, nor the smallest one that
/// could not be decided.
fn unexplained(report: &str) -> Option<&str> {
    report.split("\n\n").find(|block| {
        let lacks = |note: &str| !block.contains(&format!("= {note}: "));
        let is_excerpt = block.lines().next().is_some_and(|it| it.ends_with(" changed code"))
            || block.contains(" itself changed\n");
        is_excerpt
            && (block.starts_with("unknown: ") && lacks("undecided")
                || block.starts_with("equivalent: ") && lacks("boundary"))
    })
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("it has a name").to_string_lossy().into_owned()
}
