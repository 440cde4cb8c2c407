//! An upgrade in which reachable code changed is never called equivalent, and one in which only
//! unreachable code changed always is: tried in bulk, with mutants of the dependencies in
//! `fixtures/mutants/`.
//!
//! Each fixture is a `client.rs` and a `dep.rs`; the client reaches every function of the dependency
//! but those whose names start with `unused`. Some of the mutants are tried; with `MUTANTS=all` all
//! are.

#[path = "mutants/mutate.rs"]
mod mutate;
mod workspace;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mutate::{Mutant, mutants};
use workspace::Workspace;

/// How many mutants are tried of each fixture, unless all are.
const TRIED: usize = 80;
/// How many are tried at once.
const WORKERS: usize = 2;

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    seen_as_changed: usize,
    unreachable_and_equivalent: usize,
    /// They do not compile.
    skipped: usize,
    wrong: Vec<String>,
}

#[test]
fn mutants_of_a_parser_are_seen_where_they_are_reachable() {
    try_mutants("parse");
}

#[test]
fn mutants_of_arithmetic_and_containers_are_seen_where_they_are_reachable() {
    try_mutants("numbers");
}

#[test]
fn mutants_of_state_machines_and_trait_objects_are_seen_where_they_are_reachable() {
    try_mutants("machine");
}

fn try_mutants(fixture: &str) {
    // One fixture after the other, so that no more than the workers run at once.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(|error| error.into_inner());
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mutants").join(fixture);
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    let (client, dep) = (read("client.rs"), read("dep.rs"));
    let mutants = selected(mutants(&dep));

    let next = AtomicUsize::new(0);
    let counts = Mutex::new(Counts::default());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let workspace = workspace(&client, &dep);
                let unchanged = workspace.check();
                assert_eq!(unchanged.verdict(), "equivalent", "{}", unchanged.report);
                while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    try_mutant(&workspace, mutant, &counts);
                }
            });
        }
    });

    let counts = counts.into_inner().unwrap();
    eprintln!(
        "{fixture}: {} mutants, {} seen as changed, {} unreachable and equivalent, {} skipped",
        mutants.len(),
        counts.seen_as_changed,
        counts.unreachable_and_equivalent,
        counts.skipped
    );
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
    assert!(counts.skipped * 4 < mutants.len(), "most mutants compile");
}

fn try_mutant(workspace: &Workspace, mutant: &Mutant, counts: &Mutex<Counts>) {
    workspace.write("new/src/lib.rs", &mutant.source);
    let run = workspace.check();
    let mut counts = counts.lock().unwrap();
    match (run.verdict(), mutant.reachable) {
        ("unknown" | "different", true) => counts.seen_as_changed += 1,
        ("equivalent", false) => counts.unreachable_and_equivalent += 1,
        ("none", _) if run.report.contains("cargo failed to compile dep") => counts.skipped += 1,
        (verdict, _) => {
            counts.wrong.push(format!(
                "{verdict}: {}\n{}",
                mutant.description,
                run.report + &run.errors
            ));
        }
    }
}

fn workspace(client: &str, dep: &str) -> Workspace {
    let workspace = Workspace::new();
    for (directory, version) in [("old", "1.0.0"), ("new", "1.0.1")] {
        workspace.write_package(directory, "dep", version, "");
        workspace.write(&format!("{directory}/src/lib.rs"), dep);
    }
    let dependency = "[dependencies.dep]\npath = \"../old\"\n";
    workspace.write_package("client", "client", "0.1.0", dependency);
    workspace.write("client/src/lib.rs", client);
    workspace
}

/// All mutants, or as many as there is time for, evenly spread.
fn selected(mutants: Vec<Mutant>) -> Vec<Mutant> {
    if std::env::var("MUTANTS").is_ok_and(|value| value == "all") {
        return mutants;
    }
    let step = mutants.len().div_ceil(TRIED).max(1);
    mutants.into_iter().step_by(step).collect()
}
