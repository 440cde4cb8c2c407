//! Many mutants at once: one library in two versions with a module a mutant, and a client with a
//! module for each of them. What does not compile is left out.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use cargo_cse::report::schema::{Entry, Upgrade, Verdict};

use crate::mutate::Mutant;
use crate::soundness::packages::{Packages, module_of};
use crate::subjects::Subject;

/// A mutant of a subject's library.
#[derive(Clone)]
pub struct Trial<'s> {
    pub subject: &'s Subject,
    pub mutant: Mutant,
}

/// A mutant that compiled, and what was said of it.
pub struct Tried<'s> {
    pub trial: Trial<'s>,
    /// Of every function of the client that was run: what the tool says, and what happened.
    pub functions: Vec<(Entry, Native)>,
    /// What the tool says of all entry points, and what it lists as changed.
    pub entries: Vec<Entry>,
    pub changed: Vec<String>,
}

/// What native runs with both versions came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Native {
    /// So many inputs agree.
    Agree(u64),
    Different {
        input: String,
        old: String,
        new: String,
    },
    /// No input shows a difference, but on one only the old version ends in time.
    Hangs {
        case: usize,
        input: u64,
        /// It used up the stack.
        deep: bool,
    },
}

pub struct Batch<'s> {
    packages: Packages,
    seed: u64,
    /// The mutants that are left, by the number of their module.
    trials: Vec<(usize, Trial<'s>)>,
}

/// Milliseconds for one input of a native run, and how many inputs may take longer.
const INPUT: u64 = 50;
const SLOW: usize = 6;
/// The same for an input on which one version seems not to end.
const PATIENCE: u64 = 5000;

impl<'s> Batch<'s> {
    /// Writes the packages to a directory, and compiles them.
    pub fn new(root: &Path, trials: &[Trial<'s>], seed: u64) -> Batch<'s> {
        let trials = trials.iter().cloned().enumerate().collect();
        let mut batch = Batch { packages: Packages::new(root), seed, trials };
        batch.write_packages();
        loop {
            batch.write_modules();
            let Err(broken) = batch.packages.build("native", &[], &batch.numbers()) else {
                return batch;
            };
            batch.trials.retain(|(number, _)| !broken.contains(number));
        }
    }

    /// Runs the tool and the mutants.
    pub fn run(self, timeout: u64) -> Vec<Tried<'s>> {
        let (upgrade, native) = std::thread::scope(|scope| {
            let native = scope.spawn(|| self.run_natively());
            (self.judge(timeout), native.join().expect("native runs end"))
        });
        let mut by_module: HashMap<usize, Vec<Entry>> = HashMap::new();
        for entry in upgrade.entries {
            if let Some(module) = module_of(&entry.function) {
                by_module.entry(module).or_default().push(entry);
            }
        }
        let tried = self.trials.iter().map(|(number, trial)| {
            let entries = by_module.remove(number).unwrap_or_default();
            let functions: Vec<_> = entries
                .iter()
                .filter_map(|entry| {
                    let name = entry.function.strip_prefix("client::")?;
                    let native = native.get(name)?.clone();
                    let is_claimed = entry.verdict == Verdict::Equivalent;
                    let native = if is_claimed { self.confirm(native) } else { native };
                    Some((entry.clone(), native))
                })
                .collect();
            let expected = trial.subject.runnable().len();
            assert_eq!(functions.len(), expected, "{}: {entries:#?}", trial.subject.name);
            let changed = upgrade.changed.iter().map(|it| it.function.clone());
            let changed = changed.filter(|it| module_of(it) == Some(*number)).collect();
            Tried { trial: trial.clone(), functions, entries, changed }
        });
        tried.collect()
    }

    fn numbers(&self) -> Vec<usize> {
        self.trials.iter().map(|(number, _)| *number).collect()
    }

    fn write_packages(&self) {
        let dependency = |name: &str, path: &str| {
            format!("[dependencies]\n{name} = {{ path = \"../{path}\" }}\n")
        };
        let library = dependency("library", "old");
        self.packages.write_package("old", "library", "1.0.0", "");
        self.packages.write_package("new", "library", "1.0.1", "");
        self.packages.write_package("client", "client", "0.1.0", &library);
        for version in ["old", "new"] {
            let rest = "[lib]\npath = \"../client/src/lib.rs\"\n\n".to_owned();
            let name = format!("with_{version}");
            self.packages.write_package(
                &name,
                &name,
                "0.1.0",
                &(rest + &dependency("library", version)),
            );
        }
        let rest = dependency("with_old", "with_old") + "with_new = { path = \"../with_new\" }\n";
        // The checks are those of the usual profile.
        let rest = rest + "\n[profile.dev]\ndebug = false\nincremental = false\n";
        self.packages.write_package("native", "native", "0.1.0", &rest);
        self.packages.write("native/src/main.rs", include_str!("native/main.rs"));
    }

    fn write_modules(&self) {
        let modules: String =
            self.trials.iter().map(|(number, _)| format!("pub mod m{number};\n")).collect();
        // What always fails is worth a try too.
        let lints = "#![allow(warnings, arithmetic_overflow, unconditional_panic)]\n";
        let root = lints.to_owned() + &modules;
        let mut cases = String::new();
        for (number, Trial { subject, mutant }) in &self.trials {
            let module = format!("crate::m{number}::");
            let inside = |source: &str| source.replace("crate::", &module);
            let client = format!(
                "{}\nuse library::m{number} as {};\n",
                inside(&subject.client),
                subject.library
            );
            self.packages.write(&format!("client/src/m{number}.rs"), &client);
            self.packages.write(&format!("old/src/m{number}.rs"), &inside(&subject.old));
            self.packages.write(&format!("new/src/m{number}.rs"), &inside(&mutant.source));
            let constants = subject.constants();
            let constants: Vec<_> = constants.iter().map(i128::to_string).collect();
            for function in subject.runnable() {
                let parameters = function.parameters.iter().enumerate().map(|(index, it)| {
                    let name = format!("p{index}");
                    format!("{name}: {} = {}", it.owned, it.passed.replace("NAME", &name))
                });
                cases += &format!(
                    "        case!(m{number} {} [{}] {}),\n",
                    function.name,
                    constants.join(", "),
                    parameters.collect::<Vec<_>>().join(", ")
                );
            }
        }
        for package in ["client", "old", "new"] {
            self.packages.write(&format!("{package}/src/lib.rs"), &root);
        }
        let cases = format!(
            "const SEED: u64 = {};\n\nfn cases() -> Vec<Case> {{\n    vec![\n{cases}    ]\n}}\n",
            self.seed
        );
        self.packages.write("native/src/cases.rs", &cases);
    }

    fn judge(&self, timeout: u64) -> Upgrade {
        self.packages.judge("client", &["library", "--to", "path:../new"], timeout)
    }

    /// What happens natively, by `MODULE::FUNCTION`.
    fn run_natively(&self) -> HashMap<String, Native> {
        let names = self.names();
        let mut found = HashMap::new();
        let mut slow: HashMap<usize, usize> = HashMap::new();
        let mut start = (0, 0);
        while start.0 < names.len() {
            let mut lines = self.native("all", start, INPUT);
            let done = lines.iter().filter(|line| line[0] != "slow").count();
            let is_slow = lines.last().is_some_and(|line| line[0] == "slow");
            if !is_slow && start.0 + done < names.len() {
                // The stack was used up: that is as much as not to end.
                let first = if done == 0 { start.1 } else { 0 };
                let announced = self.native("case", (start.0 + done, first), INPUT);
                let last = announced.into_iter().rev().find(|line| line[0] == "at");
                let last = last.expect("one input brought it down");
                let [case, input] = [&last[1], &last[2]].map(String::clone);
                lines.push(vec!["slow".into(), case, input, "1".into(), "stack".into()]);
            }
            start = (names.len(), 0);
            for line in lines {
                if line[0] != "slow" {
                    let native = read(&line);
                    let known = found.entry(line[1].clone()).or_insert(native.clone());
                    if matches!(native, Native::Different { .. }) {
                        *known = native;
                    }
                    continue;
                }
                let case: usize = line[1].parse().unwrap();
                let input = line[2].parse().unwrap();
                if line[3] == "1" {
                    let deep = line.len() > 4;
                    let hangs = Native::Hangs { case, input, deep };
                    found.entry(names[case].clone()).or_insert(hangs);
                }
                let count = slow.entry(case).or_default();
                *count += 1;
                start = if *count < SLOW { (case, input + 1) } else { (case + 1, 0) };
            }
        }
        for name in names {
            found.entry(name).or_insert(Native::Agree(0));
        }
        found
    }

    /// Looks once more, and longer, at an input on which one version seemed not to end.
    fn confirm(&self, native: Native) -> Native {
        let Native::Hangs { case, input, .. } = native else { return native };
        match self.native("input", (case, input), PATIENCE).first() {
            Some(line) if line[0] != "slow" => read(line),
            Some(line) if line[3] == "0" => Native::Agree(0),
            _ => native,
        }
    }

    fn names(&self) -> Vec<String> {
        let names = self.trials.iter().flat_map(|(number, trial)| {
            let functions = trial.subject.runnable().into_iter();
            functions.map(move |function| format!("m{number}::{}", function.name))
        });
        names.collect()
    }

    /// Runs natively, from a case and an input on; returns the fields of the lines.
    fn native(&self, mode: &str, (case, input): (usize, u64), limit: u64) -> Vec<Vec<String>> {
        let output = Command::new(self.packages.path("native/target/debug/native"))
            .args([mode, &case.to_string(), &input.to_string(), &limit.to_string()])
            .output()
            .expect("it was built");
        let text = String::from_utf8_lossy(&output.stdout);
        // What the cases print themselves has no mark before it.
        let said = text.lines().filter_map(|line| Some(line.rsplit_once('\u{1}')?.1));
        said.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }
}

/// A line of the native program.
fn read(line: &[String]) -> Native {
    match &*line[0] {
        "agree" => Native::Agree(line[2].parse().unwrap()),
        _ => {
            let [input, old, new] = [2, 3, 4].map(|index| {
                // It was quoted, so that it is one line.
                line[index][1..line[index].len() - 1].replace("\\\"", "\"")
            });
            Native::Different { input, old, new }
        }
    }
}
