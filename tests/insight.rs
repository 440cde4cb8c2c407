//! What shows how a verdict came about: the log on stderr, and the questions to the solver as files.

mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use workspace::{Run, Workspace};

/// A client of which one entry point can be proved and the other cannot, since it is about text.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for (directory, version, middle, length) in [
        ("old", "1.0.0", "((u16::from(a) + u16::from(b)) / 2) as u8", "s.len()"),
        ("new", "1.0.1", "(a & b) + ((a ^ b) >> 1)", "s.trim().len()"),
    ] {
        workspace.write_package(directory, "dep", version, "");
        let source = format!(
            "pub fn middle(a: u8, b: u8) -> u8 {{ {middle} }}\n\
             pub fn length(s: &str) -> usize {{ {length} }}\n"
        );
        workspace.write(&format!("{directory}/src/lib.rs"), &source);
    }
    workspace.write_package("client", "client", "0.1.0", "[dependencies.dep]\npath = \"../old\"\n");
    let client = "pub fn between(a: u8) -> u8 { dep::middle(a, 100) }\n\
                  pub fn long(s: &str) -> bool { dep::length(s) > 5 }\n";
    workspace.write("client/src/lib.rs", client);
    workspace
}

const CHECK: [&str; 4] = ["check", "dep", "--to", "path:../new"];

fn check(workspace: &Workspace, more: &[&str], log: Option<&str>) -> Run {
    let environment: Vec<(&str, &str)> = log.iter().map(|it| ("CARGO_CSE_LOG", *it)).collect();
    workspace.cse_with(&[&CHECK[..], more].concat(), &environment)
}

/// The spans that a log names.
fn spans(log: &str) -> BTreeSet<&str> {
    let words = log.split(|it: char| it == ':' || it.is_whitespace());
    words.filter_map(|word| Some(word.split_once('{')?.0)).collect()
}

#[test]
fn nothing_is_logged_unless_it_is_asked_for() {
    let workspace = workspace();
    for run in [workspace.check(), check(&workspace, &[], Some(""))] {
        assert_eq!(run.verdict(), "unknown");
        assert_eq!(spans(&run.errors), BTreeSet::new(), "{}", run.errors);
    }
    let run = check(&workspace, &["-v"], None);
    assert_eq!(spans(&run.errors), BTreeSet::new(), "{}", run.errors);
}

#[test]
fn a_log_names_what_was_tried_and_why_it_failed() {
    let workspace = workspace();
    let run = check(&workspace, &["-vv"], None);
    let named = spans(&run.errors);
    for span in ["upgrade", "build", "target", "entry", "boundary", "pair", "engine"] {
        assert!(named.contains(span), "{span} is missing: {}", run.errors);
    }
    assert!(!named.contains("query"), "{}", run.errors);
    let line = |parts: &[&str]| {
        let has_all = |line: &&str| parts.iter().all(|part| line.contains(part));
        let found = run.errors.lines().find(has_all);
        found.unwrap_or_else(|| panic!("{parts:?} is missing: {}", run.errors))
    };
    line(&["entry{function=client::between}: close time.busy="]);
    line(&["pair{of=client::between", "standing=\"equal"]);
    let unknown = line(&["entry{function=client::long}", "unknown reason="]);
    let reason = unknown.split_once("reason=").unwrap().1.split(" at=").next().unwrap();
    let reported = run.report.contains(&format!("not decided: {reason}"));
    assert!(reported, "{reason} is not what is reported: {}", run.report);
}

#[test]
fn a_log_leaves_stdout_to_the_report() {
    let workspace = workspace();
    let report = check(&workspace, &["--message-format", "json"], Some("trace"));
    let named = spans(&report.errors);
    assert!(named.contains("query"), "{}", report.errors);
    assert!(serde_json::from_str::<serde_json::Value>(&report.report).is_ok(), "{}", report.report);
    let run = check(&workspace, &["-q"], Some("cargo_cse::solver=trace"));
    assert_eq!(spans(&run.errors), BTreeSet::from(["query"]), "{}", run.errors);
    assert_eq!(run.verdict(), "unknown");
}

#[test]
fn a_filter_that_says_nothing_is_an_error() {
    let run = check(&workspace(), &[], Some("a=b=c"));
    assert_eq!(run.code, Some(101));
    assert!(run.errors.starts_with("error: `a=b=c` does not say what to log"), "{}", run.errors);
}

#[test]
fn each_question_is_written_with_its_answer() {
    let workspace = workspace();
    let directory = workspace.root.join("a/b");
    let dumping = ["--dump-queries", directory.to_str().unwrap()];
    let run = check(&workspace, &dumping, Some("trace"));
    assert_eq!(run.verdict(), "unknown", "{}", run.errors);
    let files = files(&directory);
    assert!(!files.is_empty());
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(run.errors.contains(&format!("file=\"{name}\"")), "{name}: {}", run.errors);
    }
    agree(&files, "own");
    let second = check(&workspace, &dumping, None);
    assert_eq!((second.code, second.report), (run.code, run.report));
    assert!(files.iter().all(|file| file.exists()), "files of an earlier run stay");
}

#[test]
fn questions_of_end_to_end_cases_are_written_with_their_answers() {
    for name in [
        "different/comparison_of_floats",
        "equivalent/parts_of_a_function_around_calls",
        "equivalent/product_by_adding",
    ] {
        let workspace = case(name);
        let run = check(&workspace, &["--dump-queries", "../queries"], None);
        assert_eq!(run.verdict(), name.split_once('/').unwrap().0, "{}", run.errors);
        agree(&files(&workspace.root.join("queries")), name);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_and_no_verdict() {
    let workspace = workspace();
    workspace.write("file", "");
    let run = check(&workspace, &["--dump-queries", "../file/inside"], None);
    assert_eq!((run.code, run.report.as_str()), (Some(101), ""));
    assert!(
        run.errors.starts_with("error: cannot write queries to ../file/inside"),
        "{}",
        run.errors
    );
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(directory).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files
}

/// One of `tests/cases` that has a library and no manifests of its own.
fn case(name: &str) -> Workspace {
    let workspace = Workspace::new();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
    for (directory, package, version, rest, source) in [
        ("old", "dep", "1.0.0", "", "old.rs"),
        ("new", "dep", "1.0.1", "", "new.rs"),
        ("client", "client", "0.1.0", "[dependencies.dep]\npath = \"../old\"\n", "client.rs"),
    ] {
        workspace.write_package(directory, package, version, rest);
        let source = fs::read_to_string(case.join(source)).unwrap();
        workspace.write(&format!("{directory}/src/lib.rs"), &source);
    }
    workspace
}

/// What Z3 says of each file is what its name says, where both know. `QUERIES=DIRECTORY` keeps them
/// under that name, for `scripts/queries` to give them to other solvers.
fn agree(files: &[PathBuf], name: &str) {
    if let Some(kept) = std::env::var_os("QUERIES") {
        let kept = Path::new(&kept).join(name);
        fs::create_dir_all(&kept).unwrap();
        for file in files {
            fs::copy(file, kept.join(file.file_name().unwrap())).unwrap();
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-cse-solver"))
        .args(["ask", "20"])
        .args(files)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), files.len());
    let mut decided = 0;
    for line in answers.lines() {
        let (file, answer) = line.rsplit_once(": ").unwrap();
        let said = match file.rsplit_once('-').unwrap().1 {
            "unsat.smt2" => "unsat",
            "sat.smt2" | "safe.smt2" => "sat",
            _ => continue,
        };
        decided += usize::from(answer != "unknown");
        assert!(answer == said || answer == "unknown", "{line}");
    }
    assert!(decided > 0, "{answers}");
}
