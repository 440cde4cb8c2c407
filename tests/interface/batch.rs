//! Many pairs at once: two workspaces, one with each version of the dependency, with a client, a
//! crate between the client and the dependency, and a native program that is their caller.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use cargo_cse::report::schema::{Entry, Upgrade, Verdict};

use crate::pair::Pair;
use crate::soundness::packages::{Packages, module_of};

/// A pair that compiled, and what was said of it.
pub struct Tried {
    pub pair: Pair,
    /// What the tool says of what callers can use of it.
    pub entries: Vec<Entry>,
    /// The first use that does not do the same, and what it does with both versions.
    pub difference: Option<Difference>,
    /// Some of what is said is not known to hold of the pair alone.
    is_masked: bool,
}

impl Tried {
    /// That of the entry point that is furthest from equivalent.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.entries.iter().map(|entry| entry.verdict);
        verdicts.max_by_key(|verdict| rank(*verdict)).unwrap_or(Verdict::Equivalent)
    }

    /// Whether it has to be judged in packages of its own: it seems wrong, but what other pairs
    /// changed kept it from being judged by itself.
    pub fn is_open(&self) -> bool {
        self.is_masked && self.difference.is_some() && self.verdict() == Verdict::Equivalent
    }
}

pub fn rank(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Equivalent => 0,
        Verdict::Unknown => 1,
        Verdict::Different => 2,
    }
}

pub struct Difference {
    pub used: String,
    pub outcomes: [String; 2],
}

pub struct Batch {
    packages: Packages,
    /// The pairs that are left, by the number of their module.
    pairs: Vec<(usize, Pair)>,
}

const VERSIONS: [&str; 2] = ["old", "new"];

impl Batch {
    /// Writes the packages to a directory, and compiles them. All pairs have the same setting.
    pub fn new(root: &Path, pairs: &[Pair]) -> Batch {
        let pairs = pairs.iter().cloned().enumerate().collect();
        let mut batch = Batch { packages: Packages::new(root), pairs };
        batch.write_packages();
        loop {
            batch.write_modules();
            let mut arguments = vec!["--workspace", "--keep-going"];
            arguments.extend(batch.is_release().then_some("--release"));
            let all: Vec<usize> = batch.modules(|_| true).collect();
            let builds =
                VERSIONS.map(|it| batch.packages.build(&format!("with_{it}"), &arguments, &all));
            let broken: Vec<usize> = builds.into_iter().filter_map(Result::err).flatten().collect();
            if broken.is_empty() {
                return batch;
            }
            for (number, pair) in &batch.pairs {
                if broken.contains(number) {
                    eprintln!("does not compile: {}", pair.name);
                }
            }
            batch.pairs.retain(|(number, _)| !broken.contains(number));
        }
    }

    /// Runs the tool and the pairs.
    pub fn run(self, timeout: u64) -> Vec<Tried> {
        if self.pairs.is_empty() {
            return Vec::new();
        }
        let upgrade = self.judge(timeout);
        let mut by_module: BTreeMap<usize, Vec<Entry>> = BTreeMap::new();
        for entry in upgrade.entries {
            for module in self.owners(&entry) {
                by_module.entry(module).or_default().push(entry.clone());
            }
        }
        let tried = self.pairs.iter().map(|(number, pair)| {
            let mut entries = by_module.remove(number).unwrap_or_default();
            let masked = entries.iter_mut().map(|entry| without_others(entry, *number));
            let is_masked = masked.fold(false, |any, it| any | it);
            let difference = self.difference(*number, pair);
            Tried { pair: pair.clone(), entries, difference, is_masked }
        });
        tried.collect()
    }

    /// The pairs that an entry point belongs to: the one that it names, or else those that it
    /// reaches. What stands alone has everything that is said.
    fn owners(&self, entry: &Entry) -> BTreeSet<usize> {
        if let [(number, _)] = &self.pairs[..] {
            return BTreeSet::from([*number]);
        }
        let named = module_of(&entry.function).or_else(|| module_of(&entry.target));
        let reached = entry.reaches.iter().flatten().filter_map(|step| module_of(&step.function));
        named.map_or_else(|| reached.collect(), |number| BTreeSet::from([number]))
    }

    fn is_release(&self) -> bool {
        self.pairs.first().is_some_and(|(_, pair)| pair.setting.is_release)
    }

    fn write_packages(&self) {
        let profile = self.pairs.first().map_or("", |(_, pair)| pair.setting.profile);
        let packages = &self.packages;
        packages.write_package("third", "third", "1.0.0", "");
        for (version, number) in VERSIONS.into_iter().zip(["1.0.0", "1.0.1"]) {
            let third = "[dependencies]\nthird = { path = \"../third\" }\n";
            packages.write_package(version, "dep", number, third);
            let folder = format!("with_{version}");
            let workspace = format!(
                "[workspace]\nmembers = [\"client\", \"middle\", \"native\"]\nresolver = \"2\"\n\n{profile}"
            );
            packages.write(&format!("{folder}/Cargo.toml"), &workspace);
            let third = "[dependencies]\nthird = { path = \"../../third\" }\n".to_owned();
            let dep = format!("{third}dep = {{ path = \"../../{version}\" }}\n");
            let client = format!("{dep}middle = {{ path = \"../middle\" }}\n");
            let native =
                third + "client = { path = \"../client\" }\nmiddle = { path = \"../middle\" }\n";
            for (name, rest) in [("middle", dep), ("client", client), ("native", native)] {
                packages.write_member(&format!("{folder}/{name}"), name, "0.1.0", &rest);
            }
        }
    }

    fn write_modules(&self) {
        let lints = "#![allow(warnings, arithmetic_overflow, unconditional_panic)]\n";
        let root: String = lints.to_owned()
            + &self.modules(|_| true).map(|it| format!("pub mod m{it};\n")).collect::<String>();
        let libraries = ["third", "old", "new", "with_old/middle", "with_new/middle"];
        for folder in libraries {
            self.packages.write(&format!("{folder}/src/lib.rs"), &root);
        }
        let library = lints.to_owned()
            + &self
                .modules(|pair| !pair.is_program())
                .map(|it| format!("pub mod m{it};\n"))
                .collect::<String>();
        for version in VERSIONS {
            self.packages.write(&format!("with_{version}/client/src/lib.rs"), &library);
            let main = lints.to_owned() + &self.native_main();
            self.packages.write(&format!("with_{version}/native/src/main.rs"), &main);
        }
        for (number, pair) in &self.pairs {
            let write = |folder: &str, source: &str| {
                let path = format!("{folder}/m{number}.rs");
                self.packages.write(&path, &Pair::placed(source, *number));
            };
            write("third/src", &pair.third);
            for (side, version) in VERSIONS.into_iter().enumerate() {
                write(&format!("{version}/src"), &pair.dep[side]);
                write(&format!("with_{version}/middle/src"), &pair.middle);
                if pair.is_program() {
                    let source = lints.to_owned() + &pair.client;
                    write(&format!("with_{version}/client/src/bin"), &source);
                } else {
                    write(&format!("with_{version}/client/src"), &pair.client);
                    write(&format!("with_{version}/native/src"), &calls(&pair.uses));
                }
            }
        }
    }

    fn modules(&self, is_in: impl Fn(&Pair) -> bool) -> impl Iterator<Item = usize> {
        self.pairs.iter().filter(move |(_, pair)| is_in(pair)).map(|(number, _)| *number)
    }

    /// `native m12 0` evaluates the first use of that pair.
    fn native_main(&self) -> String {
        let libraries: Vec<usize> = self.modules(|pair| !pair.is_program()).collect();
        let modules: String = libraries.iter().map(|it| format!("mod m{it};\n")).collect();
        let arms: String = libraries
            .iter()
            .map(|it| format!("        \"m{it}\" => m{it}::run(number),\n"))
            .collect();
        format!(
            "{modules}{}\nfn main() {{\n    let arguments: Vec<String> = std::env::args().collect();\n    \
             let number: usize = arguments[2].parse().unwrap();\n    match &*arguments[1] {{\n{arms}        \
             _ => unreachable!(),\n    }}\n}}\n",
            include_str!("native.rs")
        )
    }

    fn judge(&self, timeout: u64) -> Upgrade {
        let mut arguments = vec!["dep", "-p", "client", "--to", "path:../../new"];
        arguments.extend(self.is_release().then_some("--release"));
        self.packages.judge("with_old/client", &arguments, timeout)
    }

    /// Runs all uses of a pair with both versions; what differs does so twice.
    fn difference(&self, number: usize, pair: &Pair) -> Option<Difference> {
        let count = pair.uses.len().max(1);
        (0..count).find_map(|index| {
            let run = || VERSIONS.map(|version| self.outcome(number, pair, index, version));
            let outcomes = run();
            if outcomes[0] == outcomes[1] || outcomes != run() {
                return None;
            }
            let used = pair.uses.get(index).map_or("the program", String::as_str).to_owned();
            Some(Difference { used, outcomes })
        })
    }

    /// What is printed, and how it ends. The message of a panic goes to stderr, and does not count.
    fn outcome(&self, number: usize, pair: &Pair, index: usize, version: &str) -> String {
        let profile = if self.is_release() { "release" } else { "debug" };
        let program = if pair.is_program() { format!("m{number}") } else { "native".to_owned() };
        let path = self.packages.path(&format!("with_{version}/target/{profile}/{program}"));
        let output = Command::new(path)
            .args([format!("m{number}"), index.to_string()])
            .output()
            .expect("it was built");
        format!("{:?}, {}", String::from_utf8_lossy(&output.stdout), output.status)
    }
}

/// A module of the native program with a function for the uses of a pair.
fn calls(uses: &[String]) -> String {
    let arms: String = uses
        .iter()
        .enumerate()
        .map(|(index, it)| format!("        {index} => println!(\"{{:?}}\", {{ {it} }}),\n"))
        .collect();
    format!(
        "use super::*;\npub fn run(number: usize) {{\n    match number {{\n{arms}        \
         _ => unreachable!(),\n    }}\n}}\n"
    )
}

/// Pairs share packages: what is unknown of one only because of what changed in others is not known
/// to be unknown by itself. Says whether that is so.
fn without_others(entry: &mut Entry, number: usize) -> bool {
    let ends = entry.reaches.iter().filter_map(|path| path.last());
    let modules: Vec<_> = ends.map(|step| module_of(&step.function)).collect();
    let is_others = |module: &Option<usize>| module.is_some_and(|it| it != number);
    if entry.verdict == Verdict::Unknown && !modules.is_empty() && modules.iter().all(is_others) {
        entry.verdict = Verdict::Equivalent;
        entry.reason = format!("but for other pairs: {}", entry.reason);
        return true;
    }
    false
}
