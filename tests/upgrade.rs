//! From requests to buildable pairs, on small workspaces with real crates from the registry.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use cargo_cse::{
    cargo::{Cargo, CargoOptions},
    error::Error,
    toolchain::Toolchain,
    upgrade::{self, BuildSide, NotLockable, Plan, Unused, Upgrade, UpgradeRequest},
};
use tempfile::TempDir;

/// A workspace on disk, with a Cargo.lock.
struct Workspace {
    _directory: TempDir,
    root: PathBuf,
    options: CargoOptions,
    toolchain: Toolchain,
}

impl Workspace {
    /// A library with these dependencies.
    fn new(dependencies: &str) -> Workspace {
        Workspace::empty("w").with_package("", "client", dependencies)
    }

    fn empty(name: &str) -> Workspace {
        let directory = TempDir::new().unwrap();
        let root = directory.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(&root).unwrap();
        let manifest_path = Some(root.join("Cargo.toml"));
        let options = CargoOptions { manifest_path, ..CargoOptions::default() };
        Workspace {
            _directory: directory,
            root,
            options,
            toolchain: Toolchain::find_beside(Path::new(env!("CARGO_BIN_EXE_cargo-cse"))).unwrap(),
        }
    }

    fn with_package(self, path: &str, name: &str, rest: &str) -> Workspace {
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{rest}"
        );
        self.with(&format!("{path}/Cargo.toml"), &text).with(&format!("{path}/src/lib.rs"), "")
    }

    fn with(self, path: &str, content: &str) -> Workspace {
        let path = self.root.join(path.trim_start_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Locks these dependencies at these versions.
    fn locked(self, versions: &[(&str, &str)]) -> Workspace {
        self.cargo(&["generate-lockfile"]);
        for (spec, version) in versions {
            self.cargo(&["update", "-p", spec, "--precise", version]);
        }
        self
    }

    fn cargo(&self, arguments: &[&str]) {
        let output = Command::new(&self.toolchain.cargo)
            .args(arguments)
            .current_dir(&self.root)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {arguments:?}: {stderr}");
    }

    fn runner(&self) -> Cargo {
        Cargo::new(&self.toolchain, &self.options)
    }

    fn try_plan(&self, requests: &[UpgradeRequest]) -> Result<Plan, Error> {
        let files = ["Cargo.toml", "Cargo.lock"].map(|name| self.root.join(name));
        let before = files.each_ref().map(|path| fs::read(path).ok());
        let plan = upgrade::plan(&self.runner(), requests);
        assert_eq!(
            before,
            files.map(|path| fs::read(path).ok()),
            "the user's files stay as they are"
        );
        plan
    }

    /// The plan for one request, each side built once by `cargo check`.
    fn plan(&self, request: UpgradeRequest) -> Plan {
        let plan = self.try_plan(&[request]).unwrap();
        if let Some(error) = &plan.upgrades[0].error {
            panic!("{error}\n{}", error.detail());
        }
        for side in [&plan.upgrades[0].old, &plan.upgrades[0].new] {
            self.check(side);
        }
        plan
    }

    fn error(&self, request: UpgradeRequest) -> Error {
        let mut plan = self.try_plan(&[request]).unwrap();
        plan.upgrades.remove(0).error.expect("an error")
    }

    /// Builds a side and says which packages and source files cargo built.
    fn check(&self, side: &BuildSide) -> String {
        side.enter().unwrap();
        let cargo = self.runner();
        let mut command = cargo.command("check");
        side.apply(&mut command).arg("-v").env("CARGO_TARGET_DIR", self.root.join("target/built"));
        let output = cargo.run(command).unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{stderr}");
        stderr
    }
}

fn request(name: &str, to: &str) -> UpgradeRequest {
    let to = (!to.is_empty()).then(|| to.parse().unwrap());
    UpgradeRequest { name: name.into(), from: None, to }
}

fn from_to(name: &str, from: &str, to: &str) -> UpgradeRequest {
    UpgradeRequest { from: Some(from.parse().unwrap()), ..request(name, to) }
}

fn versions(upgrade: &Upgrade) -> (&str, &str, &str) {
    (&upgrade.dependency, &upgrade.from, &upgrade.to)
}

fn lock_has(side: &BuildSide, name: &str, version: &str) -> bool {
    let text = fs::read_to_string(&side.lockfile).unwrap();
    text.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n"))
}

fn write_itoa(directory: &Path, version: &str) {
    fs::create_dir_all(directory.join("src")).unwrap();
    let manifest =
        format!("[package]\nname = \"itoa\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    fs::write(directory.join("src/lib.rs"), "").unwrap();
}

#[test]
fn a_version_within_the_requirement_moves_only_the_dependency() {
    let workspace = Workspace::new("itoa = \"1\"\nhex = \"0.4\"\n")
        .locked(&[("itoa", "1.0.5"), ("hex", "0.4.2")]);
    let plan = workspace.plan(request("itoa", "1.0.7"));
    let upgrade = &plan.upgrades[0];
    assert_eq!(versions(upgrade), ("itoa", "1.0.5", "1.0.7"));
    assert!(upgrade.moved.is_empty() && upgrade.unused.is_none() && upgrade.moves());
    assert!(lock_has(&upgrade.old, "itoa", "1.0.5") && lock_has(&upgrade.old, "hex", "0.4.2"));
    assert!(lock_has(&upgrade.new, "itoa", "1.0.7") && lock_has(&upgrade.new, "hex", "0.4.2"));
    assert!(upgrade.new.manifests.is_empty(), "the user's own manifest serves");
}

#[test]
fn without_a_version_the_newest_that_the_manifest_allows_is_meant() {
    let workspace =
        Workspace::new("semver = \">=1.0.5, <1.0.10\"\n").locked(&[("semver", "1.0.5")]);
    let plan = workspace.plan(request("semver", ""));
    assert_eq!(versions(&plan.upgrades[0]), ("semver", "1.0.5", "1.0.9"));

    let newest = Workspace::new("semver = \"=1.0.9\"\n").locked(&[]);
    let plan = newest.plan(request("semver", ""));
    assert!(!plan.upgrades[0].moves(), "nothing moves");
    assert_eq!(versions(&plan.upgrades[0]), ("semver", "1.0.9", "1.0.9"));
}

#[test]
fn a_pinned_version_can_be_left() {
    let workspace = Workspace::new("itoa = \"=1.0.5\"\n").locked(&[]);
    let plan = workspace.plan(request("itoa", "1.0.7"));
    assert_eq!(versions(&plan.upgrades[0]), ("itoa", "1.0.5", "1.0.7"));
    assert!(lock_has(&plan.upgrades[0].new, "itoa", "1.0.7"));
}

#[test]
fn a_version_outside_the_requirement_is_built_with_relative_source_paths() {
    let workspace = Workspace::new("itoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let plan = workspace.plan(request("itoa", "0.4.8"));
    let upgrade = &plan.upgrades[0];
    assert_eq!(versions(upgrade), ("itoa", "1.0.5", "0.4.8"));
    assert_eq!(upgrade.old.manifest_path, upgrade.new.manifest_path, "one place for both sides");
    for side in [&upgrade.old, &upgrade.new] {
        fs::write(workspace.root.join("src/lib.rs"), format!("// {:?}", side.lockfile)).unwrap();
        let said = workspace.check(side);
        assert!(said.contains("--crate-name client --edition=2021 src/lib.rs"), "{said}");
    }
}

#[test]
fn a_transitive_dependency_can_be_named() {
    let workspace = Workspace::new("serde_json = \"=1.0.100\"\n").locked(&[("itoa", "1.0.5")]);
    let plan = workspace.try_plan(&[request("itoa", "1.0.7")]).unwrap();
    assert_eq!(versions(&plan.upgrades[0]), ("itoa", "1.0.5", "1.0.7"));
}

#[test]
fn who_forbids_a_version_of_a_transitive_dependency_is_said() {
    let workspace = Workspace::new("serde_json = \"=1.0.100\"\n").locked(&[("itoa", "1.0.5")]);
    let error = workspace.error(request("itoa", "0.4.8"));
    let said = "serde_json v1.0.100 requires `itoa = ^1.0`, which itoa 0.4.8 does not meet";
    assert_eq!(error.to_string(), said);
}

#[test]
fn packages_that_are_tied_to_the_dependency_move_along() {
    let workspace = Workspace::new("serde = \"1\"\nserde_derive = \"1\"\n");
    let workspace = workspace.locked(&[("serde", "1.0.150"), ("serde_derive", "1.0.150")]);
    let plan = workspace.try_plan(&[request("serde", "1.0.200")]).unwrap();
    let upgrade = &plan.upgrades[0];
    assert_eq!(versions(upgrade), ("serde", "1.0.150", "1.0.200"));
    assert!(upgrade.moved.iter().any(|moved| moved.name == "serde_derive"), "{:?}", upgrade.moved);
}

#[test]
fn without_a_name_everything_that_can_move_is_an_upgrade() {
    let workspace = Workspace::new(
        "semver = \">=1.0.5, <1.0.10\"\nhex = \">=0.4.1, <0.4.3\"\nitoa = \"=1.0.5\"\n",
    );
    let workspace = workspace.locked(&[("semver", "1.0.5"), ("hex", "0.4.1")]);
    let plan = workspace.try_plan(&[]).unwrap();
    let found: Vec<_> = plan.upgrades.iter().map(versions).collect();
    assert_eq!(found, [("hex", "0.4.1", "0.4.2"), ("semver", "1.0.5", "1.0.9")]);
    assert!(lock_has(&plan.upgrades[0].new, "semver", "1.0.5"), "each moves on its own");
}

#[test]
fn what_moves_along_can_move_alone_where_the_lock_file_allows_it() {
    let workspace = Workspace::new("quote = \">=1.0.35, <1.0.38\"\n");
    let workspace = workspace.locked(&[("quote", "1.0.35"), ("proc-macro2", "1.0.74")]);
    let plan = workspace.try_plan(&[]).unwrap();
    let found: Vec<_> = plan.upgrades.iter().map(versions).collect();
    assert_eq!(found[0], ("quote", "1.0.35", "1.0.37"));
    assert!(plan.upgrades[0].moved.iter().any(|moved| moved.name == "proc-macro2"));
    assert!(found.iter().all(|(name, _, _)| *name != "proc-macro2"), "{found:?}");
    let alone = plan.alone(&workspace.runner(), &[&plan.upgrades[0]]).unwrap();
    assert_eq!((alone.len(), alone[0].dependency.as_str()), (1, "proc-macro2"));
    assert!(lock_has(&alone[0].new, "quote", "1.0.35"), "the other one stays");
}

#[test]
fn inherited_renamed_and_platform_dependencies_can_leave_their_requirement() {
    let workspace = Workspace::empty("w")
        .with(
            "Cargo.toml",
            "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n\n\
             [workspace.dependencies]\nitoa = \"=1.0.5\"\n",
        )
        .with_package("crates/a", "a", "itoa = { workspace = true }\nb = { path = \"../b\" }\n")
        .with_package("crates/b", "b", "[target.'cfg(unix)'.dependencies]\nint = { package = \"itoa\", version = \"=1.0.5\" }\n")
        .locked(&[]);
    let plan = workspace.plan(request("itoa", "0.4.8"));
    let names: Vec<_> = plan.client.packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(!lock_has(&plan.upgrades[0].new, "itoa", "1.0.5"), "all entries moved");
}

#[test]
fn members_outside_the_root_take_part_and_one_member_can_be_selected() {
    let mut workspace = Workspace::empty("w")
        .with("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"a\", \"../out\"]\n")
        .with_package("a", "a", "itoa = \"=1.0.5\"\nout = { path = \"../../out\" }\n")
        .with("../out/Cargo.toml", "[package]\nname = \"out\"\nversion = \"0.1.0\"\nworkspace = \"../w\"\n[dependencies]\nitoa = \"=1.0.5\"\n")
        .with("../out/src/lib.rs", "")
        .locked(&[]);
    workspace.options.packages.named = vec!["out".into()];
    let plan = workspace.plan(request("itoa", "1.0.7"));
    let names: Vec<_> = plan.client.packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["out"]);
    assert!(plan.upgrades[0].unused.is_none());
    drop(plan);
    workspace.options.packages.named = vec!["none".into()];
    let error = workspace.try_plan(&[]).unwrap_err();
    assert_eq!(error.help(), "its packages are a, out");
}

#[test]
fn a_directory_can_be_either_side() {
    let workspace =
        Workspace::new("itoa = \"1\"\nserde_json = \"=1.0.100\"\n").locked(&[("itoa", "1.0.5")]);
    let (near, far) = (workspace.root.join("near itoa"), workspace.root.join("far"));
    write_itoa(&near, "1.0.5");
    write_itoa(&far, "3.0.0");
    // Real clients of the directory need its API; these sides are only resolved.
    let to = |request| workspace.try_plan(&[request]).unwrap();
    let plan = to(request("itoa", &format!("path:{}", near.display())));
    assert!(plan.upgrades[0].error.is_none() && plan.upgrades[0].moves());
    assert_eq!(plan.upgrades[0].to, format!("1.0.5 ({})", near.display()));
    drop(plan);
    let alone = Workspace::new("itoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let spec = |path: &Path| format!("path:{}", path.display());
    let plan = alone.plan(from_to("itoa", &spec(&near), &spec(&far)));
    assert_eq!(plan.upgrades[0].to, format!("3.0.0 ({})", far.display()));
    assert!(alone.check(&plan.upgrades[0].new).contains("itoa"), "it is in the build");
}

#[test]
fn a_path_dependency_can_be_replaced_even_if_it_is_a_member() {
    let workspace = Workspace::empty("w").with_package(
        "",
        "client",
        "itoa = { path = \"old\" }\n[workspace]\nmembers = [\"old\"]\n",
    );
    write_itoa(&workspace.root.join("old"), "1.0.0");
    let new = workspace.root.parent().unwrap().join("new");
    write_itoa(&new, "1.0.0");
    let workspace = workspace.locked(&[]);
    let plan = workspace.plan(request("itoa", &format!("path:{}", new.display())));
    let upgrade = &plan.upgrades[0];
    assert!(upgrade.moves() && upgrade.unused.is_none());
    fs::write(new.join("src/lib.rs"), "compile_error!(\"the new one is built\");").unwrap();
    upgrade.new.enter().unwrap();
    let cargo = workspace.runner();
    let mut command = cargo.command("check");
    upgrade.new.apply(&mut command).env("CARGO_TARGET_DIR", workspace.root.join("target/built"));
    let said = cargo.run(command).unwrap();
    assert!(String::from_utf8_lossy(&said.stderr).contains("the new one is built"));
}

/// A repository with itoa 1.0.6, the tag `first` and the branch `side`.
fn git_itoa(directory: &Path) -> String {
    write_itoa(directory, "1.0.6");
    git(directory, &["init", "--quiet"]);
    commit(directory);
    git(directory, &["tag", "first"]);
    git(directory, &["checkout", "--quiet", "-b", "side"]);
    format!("file://{}", directory.display())
}

fn commit(directory: &Path) {
    git(directory, &["add", "."]);
    git(directory, &["commit", "--quiet", "-m", "some change"]);
}

fn git(directory: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let mut command = Command::new("git");
    command.args(identity).args(arguments).current_dir(directory);
    assert!(command.output().unwrap().status.success(), "git {arguments:?}");
}

#[test]
fn a_git_revision_can_be_either_side() {
    let workspace = Workspace::new("itoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let url = git_itoa(&workspace.root.parent().unwrap().join("repository"));
    for revision in ["first", "side"] {
        let plan = workspace.plan(request("itoa", &format!("git:{url}#{revision}")));
        let to = &plan.upgrades[0].to;
        assert!(to.starts_with(&format!("1.0.6 ({url}#")), "{to}");
    }
    let error = workspace.error(request("itoa", &format!("git:{url}#none")));
    assert!(matches!(error, Error::NoSuchRevision { .. }), "{error}");
    let workspace = Workspace::new("hex = \"0.4\"\n").locked(&[]);
    let error = workspace.error(request("hex", &format!("git:{url}#first")));
    assert!(matches!(error, Error::GitFailed { .. }), "{error}");
}

#[test]
fn a_git_dependency_moves_to_its_newest_commit_and_anywhere_else() {
    let workspace = Workspace::empty("w");
    let repository = workspace.root.parent().unwrap().join("repository");
    let url = git_itoa(&repository);
    let dependency = format!("itoa = {{ git = \"{url}\", branch = \"side\" }}\n");
    let workspace = workspace.with_package("", "client", &dependency).locked(&[]);
    fs::write(repository.join("src/lib.rs"), "pub fn new() {}").unwrap();
    commit(&repository);
    let plan = workspace.plan(request("itoa", ""));
    let upgrade = &plan.upgrades[0];
    assert!(upgrade.moves() && upgrade.from != upgrade.to && upgrade.moved.is_empty());
    let newest = upgrade.to.clone();
    drop(plan);
    let plan = workspace.try_plan(&[]).unwrap();
    assert_eq!(plan.upgrades[0].to, newest);
    drop(plan);
    let directory = workspace.root.join("itoa");
    write_itoa(&directory, "1.0.6");
    let path = format!("path:{}", directory.display());
    let revision = format!("git:{url}#side");
    for to in [&path, &revision, "1.0.7", "0.4.8"] {
        assert!(workspace.plan(request("itoa", to)).upgrades[0].moves());
    }
    let error = workspace.error(request("itoa", &format!("git:{url}#none")));
    assert!(matches!(error, Error::NoSuchRevision { .. }), "{error}");
}

#[test]
fn an_incompatible_version_stands_beside_the_one_that_others_need() {
    let workspace = Workspace::empty("w")
        .with_package("", "client", "itoa = \"1\"\nbeside = { path = \"../beside\" }\n")
        .with_package("../beside", "beside", "itoa = \"1\"\n")
        .locked(&[("itoa", "1.0.5")]);
    let plan = workspace.plan(request("itoa", "0.4.8"));
    let new = &plan.upgrades[0].new;
    assert!(lock_has(new, "itoa", "1.0.5") && lock_has(new, "itoa", "0.4.8"));
    assert!(plan.upgrades[0].moved.is_empty());
}

#[test]
fn spaces_quotes_and_other_scripts_in_paths_are_no_matter() {
    let workspace =
        Workspace::empty("it's a \"wörk space\" 作業").with_package("", "client", "itoa = \"1\"\n");
    let workspace = workspace.locked(&[("itoa", "1.0.5")]);
    workspace.plan(request("itoa", "1.0.7"));
    workspace.plan(request("itoa", "0.4.8"));
    let directory = workspace.root.join("it's \"itoa\"");
    write_itoa(&directory, "1.0.5");
    workspace.plan(request("itoa", &format!("path:{}", directory.display())));
}

#[test]
fn a_dependency_of_tests_alone_is_unused() {
    let workspace =
        Workspace::new("\n[dev-dependencies]\nitoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let plan = workspace.plan(request("itoa", "1.0.7"));
    assert_eq!(plan.upgrades[0].unused, Some(Unused::OnlyDeveloped));
}

#[test]
fn a_dependency_of_another_platform_or_feature_is_unused() {
    let other = "[target.'cfg(windows)'.dependencies]\nitoa = \"1\"\n";
    let optional = "itoa = { version = \"1\", optional = true }\n";
    for dependencies in [other, optional] {
        let mut workspace = Workspace::new(dependencies).locked(&[("itoa", "1.0.5")]);
        let plan = workspace.plan(request("itoa", "1.0.7"));
        assert_eq!(plan.upgrades[0].unused, Some(Unused::NotBuilt));
        drop(plan);
        workspace.options.build.all_features = true;
        let plan = workspace.plan(request("itoa", "1.0.7"));
        assert_eq!(plan.upgrades[0].unused.is_some(), dependencies == other);
    }
}

#[test]
fn what_is_unused_depends_on_the_packages_selected() {
    let mut workspace = Workspace::empty("w")
        .with("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"a\", \"b\"]\n")
        .with_package("a", "a", "itoa = \"1\"\n")
        .with_package("b", "b", "")
        .locked(&[("itoa", "1.0.5")]);
    for (package, unused) in [("b", true), ("a", false), ("b", true)] {
        workspace.options.packages.named = vec![package.into()];
        let plan = workspace.plan(request("itoa", "1.0.7"));
        assert_eq!(plan.upgrades[0].unused.is_some(), unused, "{package}");
    }
}

#[test]
fn the_one_that_the_client_names_is_meant_where_there_are_two() {
    let workspace = Workspace::empty("w")
        .with_package("", "client", "itoa = \"1\"\nother = { path = \"other\" }\n")
        .with_package("other", "other", "itoa = \"0.4\"\n")
        .locked(&[("itoa@1", "1.0.5"), ("itoa@0.4", "0.4.7")]);
    let plan = workspace.plan(request("itoa", "1.0.7"));
    assert_eq!(versions(&plan.upgrades[0]), ("itoa", "1.0.5", "1.0.7"));
    drop(plan);
    let plan = workspace.plan(from_to("itoa", "0.4.7", "0.4.8"));
    assert_eq!(versions(&plan.upgrades[0]), ("itoa", "0.4.7", "0.4.8"));
    assert!(lock_has(&plan.upgrades[0].new, "itoa", "1.0.5"), "the other stays");
}

#[test]
fn what_cannot_be_done_is_said_with_the_next_step() {
    let workspace =
        Workspace::new("itoa = \"1\"\nserde_json = \"=1.0.100\"\n").locked(&[("itoa", "1.0.5")]);
    let said = |request| {
        let error = workspace.error(request);
        format!("{error}; {}", error.help())
    };
    assert_eq!(
        said(request("serde-jsn", "")),
        "the client does not depend on `serde-jsn`; did you mean `serde_json`?"
    );
    let missing = said(request("itoa", "1.0.999"));
    assert!(missing.starts_with("`itoa` has no version 1.0.999; there are 1."), "{missing}");
    let missing = said(request("itoa", "0.3.999"));
    assert!(missing.starts_with("`itoa` has no version 0.3.999; there are 1."), "{missing}");
    let directory = workspace.root.join("src");
    let nothing = said(request("itoa", &format!("path:{}", directory.display())));
    assert!(nothing.contains("is not a package"), "{nothing}");
    let other = said(request("itoa", &format!("path:{}", workspace.root.display())));
    assert!(other.contains("is the package `client`, not `itoa`"), "{other}");
}

#[test]
fn a_workspace_that_cargo_cannot_read_is_said_in_cargos_words() {
    let none = Workspace::empty("w");
    assert!(matches!(none.try_plan(&[]), Err(Error::NoManifest { .. })));
    let broken = Workspace::empty("w").with("Cargo.toml", "[package]\nname = 1\n");
    let error = broken.try_plan(&[]).unwrap_err();
    assert!(matches!(error, Error::BrokenManifest { .. }) && error.detail().contains("name = 1"));
    let outdated = Workspace::new("itoa = \"=1.0.5\"\n").locked(&[]);
    let mut outdated = outdated.with_package("", "client", "itoa = \"=1.0.7\"\n");
    outdated.options.locked = true;
    assert!(matches!(outdated.try_plan(&[]), Err(Error::LockOutdated { .. })));
}

#[test]
fn a_target_directory_that_cannot_be_written_is_said() {
    let mut workspace = Workspace::new("");
    workspace.options.target_dir = Some("/sys/target".into());
    let error = workspace.try_plan(&[]).unwrap_err();
    assert!(error.help().contains("--target-dir"), "{error:?}");
}

#[test]
fn a_crate_for_a_newer_compiler_is_said() {
    let workspace = Workspace::new("itoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let directory = workspace.root.join("itoa");
    write_itoa(&directory, "1.0.5");
    let manifest =
        fs::read_to_string(directory.join("Cargo.toml")).unwrap() + "rust-version = \"1.900\"\n";
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    let error = workspace.error(request("itoa", &format!("path:{}", directory.display())));
    assert!(error.to_string().starts_with("itoa 1.0.5 needs Rust 1.900.0"), "{error}");
}

#[test]
fn a_workspace_without_a_lock_file_stays_without() {
    let workspace = Workspace::new("itoa = \"=1.0.5\"\n");
    let plan = workspace.plan(request("itoa", "1.0.7"));
    assert_eq!(versions(&plan.upgrades[0]), ("itoa", "1.0.5", "1.0.7"));
    assert!(!workspace.root.join("Cargo.lock").exists());
}

#[test]
fn equivalent_upgrades_are_written_together_and_nothing_else() {
    let dependencies = "semver = \">=1.0.5, <1.0.10\"\nhex = \">=0.4.1, <0.4.3\"\nitoa = \"1\"\n";
    let versions = [("semver", "1.0.5"), ("hex", "0.4.1"), ("itoa", "1.0.5")];
    let workspace = Workspace::new(dependencies).locked(&versions);
    let directory = workspace.root.join("itoa");
    write_itoa(&directory, "1.0.7");
    let plan = workspace.try_plan(&[
        request("semver", ""),
        request("hex", ""),
        request("itoa", "0.4.8"),
        request("itoa", &format!("path:{}", directory.display())),
    ]);
    let plan = plan.unwrap();
    let cargo = workspace.runner();
    let upgrades: Vec<_> = plan.upgrades.iter().collect();
    let combined = upgrade::combine(&cargo, &plan, &upgrades).unwrap();
    assert_eq!(combined.included, [0, 1]);
    let skipped: Vec<_> = combined.skipped.iter().map(|skipped| skipped.index).collect();
    assert_eq!(skipped, [2, 3], "Cargo.toml would have to say so");
    assert!(combined.skipped.iter().all(|skipped| skipped.reason == NotLockable::NeedsManifest));
    assert!(lock_has(&plan.client.base, "hex", "0.4.1"));
    combined.write(&cargo, &plan).unwrap();
    let written = fs::read_to_string(workspace.root.join("Cargo.lock")).unwrap();
    for (name, version) in [("semver", "1.0.9"), ("hex", "0.4.2"), ("itoa", "1.0.5")] {
        assert!(
            written.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")),
            "{written}"
        );
    }
    workspace.cargo(&["metadata", "--locked", "--format-version", "1"]);
    assert!(matches!(combined.write(&cargo, &plan), Err(Error::LockChanged)));
}

#[test]
fn locked_forbids_to_write() {
    let mut workspace = Workspace::new("hex = \"0.4\"\n").locked(&[("hex", "0.4.1")]);
    workspace.options.locked = true;
    let plan = workspace.plan(request("hex", "0.4.2"));
    let cargo = workspace.runner();
    let combined = upgrade::combine(&cargo, &plan, &[&plan.upgrades[0]]).unwrap();
    assert!(matches!(combined.write(&cargo, &plan), Err(Error::LockedForbidsWriting)));
}

#[test]
fn paths_out_of_the_workspace_and_links_lead_where_they_led() {
    let workspace = Workspace::empty("w")
        .with_package("", "client", "itoa = \"=1.0.5\"\nbeside = { path = \"../beside\" }\n")
        .with("src/lib.rs", "pub const A: &str = include_str!(\"../data/a\");\npub use beside::B;\nmod m;\n")
        .with("src/m.rs", "pub const D: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/a\"));\n")
        .with("data/a", "a")
        .with("build.rs", "fn main() { assert!(std::path::Path::new(\"data/a\").exists()); }\n")
        .with_package("../beside", "beside", "")
        .with("../beside/src/lib.rs", "pub const B: u8 = 1;\n")
        .locked(&[]);
    let plan = workspace.plan(request("itoa", "1.0.7"));
    assert!(!plan.upgrades[0].new.manifests.is_empty(), "the mirror is used");
}

#[test]
fn a_second_run_in_one_workspace_waits_for_the_first() {
    let workspace = Workspace::new("itoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let first = workspace.try_plan(&[request("itoa", "1.0.7")]).unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let plan = workspace.try_plan(&[request("itoa", "1.0.7")]).unwrap();
            (Instant::now(), plan.upgrades.len())
        });
        workspace.check(&first.upgrades[0].new);
        let ended = Instant::now();
        drop(first);
        let (begun, upgrades) = second.join().unwrap();
        assert!(begun > ended && upgrades == 1);
    });
}

#[test]
fn a_known_version_is_found_again_without_asking_the_registry() {
    let mut workspace = Workspace::new("itoa = \"1\"\n").locked(&[("itoa", "1.0.5")]);
    let first = workspace.plan(request("itoa", "1.0.7")).upgrades.remove(0);
    // Only `cargo update` asks.
    let script = workspace.root.join("cargo-without-update");
    let cargo = workspace.toolchain.cargo.display().to_string();
    let text = format!("#!/bin/sh\n[ \"$1\" != update ] && exec '{cargo}' \"$@\"\nexit 1\n");
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    workspace.toolchain.cargo = script;
    let again = workspace.plan(request("itoa", "1.0.7")).upgrades.remove(0);
    assert_eq!(first.new, again.new);
    assert!(matches!(workspace.error(request("itoa", "1.0.8")), Error::Conflict { .. }));
}
