//! Many pairs in a few packages, with a module a pair: `m12` of the client uses `m12` of the library.
//! What does not compile can be told by the module that the compiler complains about, and what the
//! tool says is told apart by the module in the names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cargo_cse::report::schema::{Report, Upgrade};
use serde_json::Value;

/// A directory of packages.
pub struct Packages {
    root: PathBuf,
}

impl Packages {
    pub fn new(root: &Path) -> Packages {
        Packages { root: root.to_owned() }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A package that is a workspace of its own, whatever lies above; `rest` ends its manifest.
    pub fn write_package(&self, folder: &str, name: &str, version: &str, rest: &str) {
        let rest = format!("{rest}\n[workspace]\n");
        self.write_member(folder, name, version, &rest);
    }

    /// A package of the workspace that lies above.
    pub fn write_member(&self, folder: &str, name: &str, version: &str, rest: &str) {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\n{rest}"
        );
        self.write(&format!("{folder}/Cargo.toml"), &manifest);
    }

    /// What is there already stays untouched, so that it need not be compiled again.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        if fs::read_to_string(&path).is_ok_and(|it| it == content) {
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Compiles the package in a folder; otherwise, the modules that do not compile. Where `all` is
    /// one module, it is to blame also for what the compiler says of no module, such as an error of
    /// the linker.
    pub fn build(
        &self,
        folder: &str,
        arguments: &[&str],
        all: &[usize],
    ) -> Result<(), BTreeSet<usize>> {
        let output = Command::new("cargo")
            .args(["build", "--message-format", "json", "--quiet", "--offline"])
            .args(["--target-dir", "target"])
            .args(arguments)
            .current_dir(self.root.join(folder))
            .output()
            .expect("cargo can be run");
        if output.status.success() {
            return Ok(());
        }
        let mut broken = broken_modules(&output);
        if let [only] = all {
            broken.insert(*only);
        }
        assert!(!broken.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        Err(broken)
    }

    /// Runs the tool in a folder, with more time where a busy machine needs it to compile.
    pub fn judge(&self, folder: &str, arguments: &[&str], timeout: u64) -> Upgrade {
        let upgrade = self.judge_within(folder, arguments, timeout);
        match upgrade.error {
            None => upgrade,
            Some(_) if timeout < 1000 => self.judge(folder, arguments, timeout * 3),
            Some(error) => panic!("{error:?}"),
        }
    }

    fn judge_within(&self, folder: &str, arguments: &[&str], timeout: u64) -> Upgrade {
        let output = Command::new(env!("CARGO_BIN_EXE_cargo-cse"))
            .args(["cse", "check"])
            .args(arguments)
            .args(["--offline", "--message-format", "json", "--timeout", &timeout.to_string()])
            .current_dir(self.root.join(folder))
            .output()
            .expect("cargo-cse can be run");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let report: Report =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {errors}"));
        report.upgrades.into_iter().next().expect("an upgrade was asked for")
    }
}

/// The modules that the compiler complains about.
fn broken_modules(output: &Output) -> BTreeSet<usize> {
    let mut modules = BTreeSet::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).expect("cargo writes JSON");
        if message["message"]["level"] == "error" {
            let spans = message["message"]["spans"].as_array().into_iter().flatten();
            let files = spans.filter_map(|span| span["file_name"].as_str());
            modules.extend(files.filter_map(module_of));
        }
    }
    modules
}

/// The number in the first name of the form `m12`, also as a part of a longer one: symbols have no paths.
pub fn module_of(text: &str) -> Option<usize> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    words.filter_map(|word| word.strip_prefix('m')?.parse().ok()).next()
}
