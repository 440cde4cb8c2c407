//! Hard to break: each case is a small workspace on disk and the real binary.

use std::{
    fs::{self, File},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A client beside several versions of its dependency `dep`.
struct Workspace {
    _directory: TempDir,
    root: PathBuf,
}

const USED: &str = "pub fn used(x: u32) -> u32 { x ^ 1 }\n";

impl Workspace {
    /// The client is in `client` and uses `dep::used` of `old`. In `same`, only what it does not use
    /// is new, in `changed` what it uses, and in `renamed` that has another name.
    fn new() -> Workspace {
        Workspace::named("w")
    }

    fn named(name: &str) -> Workspace {
        let directory = TempDir::new().unwrap();
        let root = directory.path().canonicalize().unwrap().join(name);
        Workspace { _directory: directory, root }
            .package("old", "dep", "1.0.0", "", &[USED, "pub fn other() -> u32 { 1 }"].concat())
            .package("same", "dep", "1.0.1", "", &[USED, "pub fn other() -> u32 { 2 }"].concat())
            .package("changed", "dep", "1.0.2", "", "pub fn used(x: u32) -> u32 { x ^ 2 }")
            .package("renamed", "dep", "2.0.0", "", "pub fn use_it(x: u32) -> u32 { x }")
            .client(
                "[dependencies]\ndep = { path = \"../old\" }",
                "pub fn f() -> u32 { dep::used(1) }",
            )
    }

    fn client(self, manifest: &str, library: &str) -> Workspace {
        self.package("client", "client", "0.1.0", manifest, library)
    }

    fn package(self, path: &str, name: &str, version: &str, rest: &str, lib: &str) -> Workspace {
        let head = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"");
        self.with(&format!("{path}/Cargo.toml"), &format!("{head}\nedition = \"2021\"\n{rest}\n"))
            .with(&format!("{path}/src/lib.rs"), lib)
    }

    fn with(self, path: &str, content: &str) -> Workspace {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn with_replaced(self, path: &str, from: &str, to: &str) -> Workspace {
        let text = fs::read_to_string(self.root.join(path)).unwrap();
        self.with(path, &text.replace(from, to))
    }

    fn script(&self, path: &str, content: &str) -> PathBuf {
        let path = self.root.join(path);
        fs::write(&path, format!("#!/bin/sh\n{content}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// `cargo cse`, run in the client.
    fn cse(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-cse"));
        command.arg("cse").args(arguments).current_dir(self.root.join("client"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        ran(&mut self.cse(arguments))
    }

    fn check(&self, to: &str) -> Ran {
        self.run(&["check", "dep", "--to", &format!("path:../{to}")])
    }

    /// The files of the driver.
    fn programs(&self) -> Vec<PathBuf> {
        let private = self.root.join("client/target/cse");
        let builds = entries(&private).into_iter().filter(|path| path.join("programs").is_dir());
        builds.flat_map(|path| entries(&path.join("programs"))).collect()
    }
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// How a run ended.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    #[track_caller]
    fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    fn says(self, text: &str) -> Ran {
        let all = [self.stdout.as_str(), &self.stderr].concat();
        assert!(all.contains(text), "`{text}` is not in:\n{all}");
        self
    }

    #[track_caller]
    fn finds_equivalent(self) -> Ran {
        self.exits(0).says(": equivalent\n")
    }

    /// The change is seen: it was run and differs, or stays unknown where it cannot be run.
    #[track_caller]
    fn sees_the_change(self) -> Ran {
        let verdict = match self.code {
            Some(102) => ": unknown\n",
            _ => ": different\n",
        };
        let code = if verdict == ": unknown\n" { 102 } else { 100 };
        self.exits(code).says(verdict)
    }
}

fn ran(command: &mut Command) -> Ran {
    command.output().unwrap().into()
}

/// Waits for what another process does.
fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> T {
    loop {
        match found() {
            Some(found) => return found,
            None => thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[test]
fn each_verdict_has_its_exit_code_and_the_users_files_stay() {
    let workspace = Workspace::new().with("client/.gitignore", "target\n");
    let client = workspace.path("client");
    let cargo = Command::new("cargo")
        .args(["generate-lockfile", "--offline"])
        .current_dir(&client)
        .output()
        .unwrap();
    assert!(cargo.status.success());
    let before = tree(&client);
    workspace.check("same").finds_equivalent();
    workspace.check("changed").sees_the_change();
    workspace
        .check("renamed")
        .exits(101)
        .says("client does not compile with dep 2.0.0")
        .says("cannot find function `used` in crate `dep`")
        .says("help: the API changed");
    workspace.run(&["check", "--no-such-flag"]).exits(2);
    assert_eq!(tree(&client), before);
}

/// Every file and directory but `target`, with its time and content.
fn tree(directory: &Path) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
    let mut tree = Vec::new();
    for path in entries(directory).into_iter().filter(|path| !path.ends_with("target")) {
        if path.is_dir() {
            tree.extend(self::tree(&path));
        }
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        tree.push((path.clone(), modified, fs::read(&path).unwrap_or_default()));
    }
    tree.sort();
    tree
}

#[test]
fn what_cannot_be_checked_is_named_with_the_next_step() {
    let workspace = Workspace::new();
    let mut nowhere = workspace.cse(&["check"]);
    ran(nowhere.current_dir(&workspace.root))
        .exits(101)
        .says("error: there is no Cargo.toml here")
        .says("--manifest-path");
    workspace
        .run(&["check", "depp"])
        .exits(101)
        .says("depp: not checked\nerror: the client does not depend on `depp`")
        .says("help: did you mean `dep`?");
    workspace
        .run(&["check", "dep", "--to", "path:../client"])
        .exits(101)
        .says("is the package `client`, not `dep`");
    workspace
        .run(&["check", "dep", "--target", "pdp-11"])
        .exits(101)
        .says("error: the compiler does not know the target pdp-11");
    workspace.run(&["check", "dep", "-p", "nobody"]).exits(101).says("its packages are client");
}

#[test]
fn a_client_that_does_not_compile_is_told_from_a_changed_api() {
    let broken = Workspace::new().with("client/src/lib.rs", "pub fn f() -> u32 { \"\" }");
    broken
        .check("same")
        .exits(101)
        .says("error: client does not compile with dep 1.0.0")
        .says("mismatched types")
        .says("`cargo check` must work before");
}

#[test]
fn a_dependency_that_is_not_published_is_compiled_with_all_checks() {
    let dangling = "pub fn used(x: u32) -> u32 { let y; { let z = x; y = &z; } *y }";
    let workspace = Workspace::new().package("dangling", "dep", "1.0.1", "", dangling);
    let message = "`z` does not live long enough";
    workspace.check("dangling").exits(101).says(message);
    committed(&workspace, "dangling");
    let revision = format!("git:file://{}#main", workspace.path("dangling").display());
    workspace.run(&["check", "dep", "--to", &revision]).exits(101).says(message);
}

#[test]
fn what_no_longer_borrows_rightly_with_a_new_version_does_not_compile() {
    let library =
        |other: &str| format!("pub fn one<'a>(x: &'a u32, _: &{other}u32) -> &'a u32 {{ x }}");
    let workspace = Workspace::new().with("old/src/lib.rs", &library(""));
    let dependency = format!("[dependencies]\ndep = {}", committed(&workspace, "old"));
    let through = "pub fn through(x: &u32) -> &u32 { let y = *x; dep::one(x, &y) }";
    let workspace = workspace
        .package("between", "between", "1.0.0", &dependency, through)
        // As if it were published.
        .with("between/Cargo.toml.orig", "");
    let between = format!("between = {}", committed(&workspace, "between"));
    let client = "pub fn f() -> u32 { *between::through(&1) }";
    let workspace = workspace.client(&format!("{dependency}\n{between}"), client);
    lock(&workspace);
    let workspace = workspace.with("old/src/lib.rs", &library("'a "));
    committed(&workspace, "old");
    let message = "cannot return value referencing local variable `y`";
    workspace.run(&["check", "dep"]).exits(101).says("compile between").says(message);
}

#[test]
fn an_upgrade_whose_time_is_over_is_no_verdict_and_the_next_run_is_right() {
    let slow = "fn main() { std::thread::sleep(std::time::Duration::from_secs(60)); }";
    let workspace = Workspace::new().with("client/build.rs", slow);
    let started = std::time::Instant::now();
    workspace
        .run(&["check", "dep", "--to", "path:../same", "--timeout", "4"])
        .exits(101)
        .says("the upgrade took longer than --timeout allows");
    assert!(started.elapsed().as_secs() < 40, "the build script was not ended");
    workspace.with("client/build.rs", "fn main() {}").check("same").exits(0);
}

#[test]
fn a_dependency_that_needs_a_newer_rust_is_refused() {
    let rest = "rust-version = \"1.999\"";
    Workspace::new()
        .package("newer", "dep", "1.0.1", rest, USED)
        .check("newer")
        .exits(101)
        .says("dep 1.0.1 needs Rust 1.999.0, and cargo-cse works with nightly");
}

#[test]
fn without_the_network_the_cause_is_named() {
    let workspace = Workspace::new().client("[dependencies]\nitoa = \"1\"", "");
    let home = workspace.path("home");
    let with = |name: &str, value: &str| {
        let mut command = workspace.cse(&["check", "itoa"]);
        ran(command.env("CARGO_HOME", &home).env("CARGO_NET_RETRY", "0").env(name, value))
    };
    with("CARGO_HTTP_PROXY", "http://127.0.0.1:9")
        .exits(101)
        .says("error: the network cannot be reached")
        .says("help: use --offline");
    with("CARGO_NET_OFFLINE", "true").exits(101).says("cargo is told to stay offline");
    let mut offline = workspace.cse(&["check", "itoa", "--offline"]);
    ran(offline.env("CARGO_HOME", &home)).exits(101).says("help: run once without --offline");
}

#[test]
fn a_target_directory_that_cannot_be_written_is_named() {
    let workspace = Workspace::new().with("client/file", "");
    workspace
        .run(&["check", "dep", "--target-dir", "file/below"])
        .exits(101)
        .says("client/file/below/cse cannot be written")
        .says("help: choose another directory with --target-dir");
}

#[test]
fn a_full_disk_is_named_and_the_next_run_works() {
    let workspace = Workspace::new();
    let disk = workspace.path("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "none"]).arg(&disk);
        mount.output().is_ok_and(|output| output.status.success())
    };
    if !mount("size=16k") {
        eprintln!("skipped: this user may not mount a small file system");
        return;
    }
    let check = || {
        let target = disk.to_str().unwrap();
        workspace.run(&["check", "dep", "--to", "path:../changed", "--target-dir", target])
    };
    // From the first file of ours to the last one of the compiler's.
    let runs = [16, 48, 80, 112].map(|size| {
        assert!(mount(&format!("remount,size={size}k")));
        check()
    });
    assert!(mount("remount,size=50m"));
    let last = check();
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    for run in runs {
        run.exits(101).says("error: the disk is full").says("help: free some space");
    }
    last.sees_the_change();
}

#[test]
fn what_a_lost_or_cut_file_said_is_found_out_again() {
    let workspace = Workspace::new().client(
        "[dependencies]\ndep = { path = \"../old\" }",
        "pub use dep::used; pub fn f() -> u32 { 1 }",
    );
    workspace.check("changed").sees_the_change();
    for path in workspace.programs() {
        fs::remove_file(path).unwrap();
    }
    workspace.check("changed").sees_the_change();
    for path in workspace.programs() {
        File::options().write(true).open(path).unwrap().set_len(3).unwrap();
    }
    workspace.check("changed").sees_the_change();
    let is_program = |path: &PathBuf| path.extension().is_some_and(|it| it == "program");
    for path in workspace.programs().into_iter().filter(is_program) {
        fs::remove_file(path).unwrap();
    }
    // The client's programs do not take the dependency to be compiled again.
    let fails = workspace
        .script("fails", "case \"$*\" in *\"--crate-name dep \"*) exit 1;; esac; exec \"$@\"");
    let mut command = workspace.cse(&["check", "dep", "--to", "path:../changed"]);
    ran(command.env("RUSTC_WRAPPER", fails)).sees_the_change();
}

/// A run that hangs in the compilation of the dependency.
struct Hanging {
    tool: Child,
    compiler: Pid,
}

impl Hanging {
    fn start(workspace: &Workspace) -> Hanging {
        let started = workspace.path("started");
        let script = format!(
            "case \"$*\" in *\"--crate-name dep \"*)\n\
             echo $$ > '{0}.new'; mv '{0}.new' '{0}'; exec sleep 600;; esac; exec \"$@\"",
            started.display()
        );
        let wrapper = workspace.script("hang", &script);
        let mut command = workspace.cse(&["check", "dep", "--to", "path:../changed"]);
        let tool = command.env("RUSTC_WRAPPER", wrapper).process_group(0).spawn().unwrap();
        let text = wait_for(|| fs::read_to_string(&started).ok());
        Hanging { tool, compiler: Pid::from_raw(text.trim().parse().unwrap()).unwrap() }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.tool)
    }

    fn compiler_ends(&self) {
        wait_for(|| test_kill_process(self.compiler).is_err().then_some(()));
    }
}

#[test]
fn an_interrupt_ends_the_children_and_changes_nothing() {
    let workspace = Workspace::new();
    let hanging = Hanging::start(&workspace);
    kill_process(hanging.pid(), Signal::INT).unwrap();
    hanging.compiler_ends();
    let ended = Ran::from(hanging.tool.wait_with_output().unwrap());
    assert_eq!(ended.stdout, "");
    ended.exits(101).says("error: interrupted");
    assert!(!workspace.path("client/Cargo.lock").exists());
    workspace.check("changed").sees_the_change();
}

#[test]
fn a_killed_run_does_not_disturb_the_next_one() {
    let workspace = Workspace::new();
    let mut hanging = Hanging::start(&workspace);
    kill_process(hanging.pid(), Signal::KILL).unwrap();
    hanging.tool.wait().unwrap();
    kill_process(hanging.compiler, Signal::KILL).unwrap();
    workspace.check("same").finds_equivalent();
    workspace.check("changed").sees_the_change();
}

/// A run that has gone on to the new side, while the driver of the old one hangs in the background.
/// There are programs of the client as it was before, when it did not use the dependency.
struct Walking {
    tool: Child,
    driver: Pid,
    workspace: Workspace,
}

impl Walking {
    const CLIENT: &str = "client/src/lib.rs";

    fn start() -> Walking {
        let library = |body: &str, turns: &str| {
            format!("pub fn used(x: u32) -> u32 {{ {body} }}\npub const TURNS: u64 = {turns};")
        };
        let workspace = Workspace::new()
            .package("old", "dep", "1.0.0", "", &library("x ^ 1", "u64::MAX"))
            .package("changed", "dep", "1.0.2", "", &library("x ^ 2", "0"))
            .with(Walking::CLIENT, "pub fn f() -> u32 { 1 }");
        workspace.check("changed").finds_equivalent();
        // Only where all types are known is there anything to compute.
        let hangs = "pub fn f() -> u32 { dep::used(1) + g::<{ dep::TURNS }>() }\n\
                     fn g<const N: u64>() -> u32 { Turns::<N>::COUNT }\n\
                     struct Turns<const N: u64>;\n\
                     impl<const N: u64> Turns<N> {\n\
                     const COUNT: u32 = { let mut n = 0; while n < N { n += 1 } n as u32 };\n}";
        let workspace = workspace.with(Walking::CLIENT, hangs);
        let mut command = workspace.cse(&["check", "dep", "--to", "path:../changed"]);
        let tool = command.process_group(0).spawn().unwrap();
        let driver = wait_for(|| driver_in_the_background(&workspace));
        Walking { tool, driver, workspace }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.tool)
    }

    /// Lets the next driver come to its end, without cargo seeing that the client is another one.
    fn unhang(&self) {
        let path = self.workspace.path(Walking::CLIENT);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "pub fn f() -> u32 { dep::used(1) }").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    }

    fn driver_ends(&self) {
        wait_for(|| test_kill_process(self.driver).is_err().then_some(()));
    }
}

fn driver_in_the_background(workspace: &Workspace) -> Option<Pid> {
    let place = workspace.path("client/target").into_os_string().into_string().unwrap();
    entries(Path::new("/proc")).into_iter().find_map(|process| {
        let words = String::from_utf8(fs::read(process.join("cmdline")).ok()?).ok()?;
        let is_it = words.split('\0').next()?.ends_with("cargo-cse-driver")
            && words.contains(&place)
            && fs::read_link(process.join("fd/2")).ok()? == Path::new("/dev/null");
        let number = process.file_name()?.to_str()?.parse().ok()?;
        Pid::from_raw(number).filter(|_| is_it)
    })
}

#[test]
fn an_interrupt_ends_a_driver_in_the_background_and_the_next_run_is_right() {
    let walking = Walking::start();
    kill_process(walking.pid(), Signal::INT).unwrap();
    walking.driver_ends();
    walking.unhang();
    Ran::from(walking.tool.wait_with_output().unwrap()).exits(101).says("error: interrupted");
    walking.workspace.check("changed").sees_the_change();
}

#[test]
fn a_driver_that_was_killed_in_the_background_is_run_again() {
    let walking = Walking::start();
    walking.unhang();
    kill_process(walking.driver, Signal::KILL).unwrap();
    Ran::from(walking.tool.wait_with_output().unwrap()).sees_the_change();
    walking.workspace.check("changed").sees_the_change();
}

#[test]
fn a_driver_that_outlives_its_run_is_waited_for() {
    let mut walking = Walking::start();
    kill_process(walking.pid(), Signal::KILL).unwrap();
    walking.tool.wait().unwrap();
    walking.unhang();
    let workspace = &walking.workspace;
    let mut next = workspace.cse(&["check", "dep", "--to", "path:../changed"]);
    let next = next.spawn().unwrap();
    kill_process(walking.driver, Signal::KILL).unwrap();
    Ran::from(next.wait_with_output().unwrap()).sees_the_change();
}

/// Commits a package to the only branch of its repository, and says how to depend on that.
fn committed(workspace: &Workspace, package: &str) -> String {
    let directory = workspace.path(package);
    for arguments in ["init --initial-branch main", "add .", "commit --message m"] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments.split(' '));
        assert!(git.current_dir(&directory).output().unwrap().status.success());
    }
    format!("{{ git = \"file://{}\", branch = \"main\" }}", directory.display())
}

fn lock(workspace: &Workspace) {
    let mut command = Command::new(env!("CARGO"));
    command.arg("generate-lockfile").current_dir(workspace.path("client"));
    assert!(command.output().unwrap().status.success());
}

#[test]
fn two_revisions_of_one_branch_are_told_apart() {
    let workspace = Workspace::new();
    let manifest = format!("[dependencies]\ndep = {}", committed(&workspace, "old"));
    let workspace = workspace.client(&manifest, "pub fn f() -> u32 { dep::used(1) }");
    lock(&workspace);
    let workspace = workspace.with("old/src/lib.rs", USED);
    committed(&workspace, "old");
    workspace.run(&["check", "dep"]).finds_equivalent();
    let workspace = workspace.with("old/src/lib.rs", "pub fn used(x: u32) -> u32 { x ^ 2 }");
    committed(&workspace, "old");
    workspace.run(&["check", "dep"]).sees_the_change();
}

#[test]
fn two_runs_at_once_are_both_right() {
    let workspace = Workspace::new();
    let start = |to: &str| workspace.cse(&["check", "dep", "--to", to]).spawn().unwrap();
    let [same, changed] = ["path:../same", "path:../changed"].map(start);
    Ran::from(same.wait_with_output().unwrap()).finds_equivalent();
    Ran::from(changed.wait_with_output().unwrap()).sees_the_change();
}

#[test]
fn spaces_and_other_letters_in_a_path_do_no_harm() {
    let workspace = Workspace::named("ein Ordner ü 箱 'a' \"b\"");
    workspace.check("same").finds_equivalent();
    workspace.check("changed").sees_the_change();
}

#[test]
fn a_wrapper_of_the_users_still_stands_before_the_compiler() {
    let workspace = Workspace::new();
    let log = workspace.path("log");
    let script = format!("echo \"$*\" >> '{}'; exec \"$@\"", log.display());
    workspace.script("client/wrapper", &script);
    // Relative to where the user is.
    let mut command = workspace.cse(&["check", "dep", "--to", "path:../changed"]);
    ran(command.env("RUSTC_WRAPPER", "./wrapper")).sees_the_change();
    assert!(fs::read_to_string(&log).unwrap().contains("--crate-name dep "));
    let mut command = workspace.cse(&["check", "dep", "--to", "path:../same"]);
    ran(command.env("RUSTC_WORKSPACE_WRAPPER", "/nonexistent/wrapper")).finds_equivalent();
}

#[test]
fn the_compiler_is_asked_once_and_the_users_build_directory_stays_as_it_is() {
    let workspace = Workspace::new()
        .package("again", "dep", "1.0.3", "", USED)
        .with("client/.cargo/config.toml", "build.build-dir = \"../intermediate\"");
    let log = workspace.path("log");
    let script = format!("echo \"$*\" >> '{}'; exec \"$@\"", log.display());
    let wrapper = workspace.script("wrapper", &script);
    let check = |to: &str| {
        let mut command = workspace.cse(&["check", "dep", "--to", to]);
        ran(command.env("RUSTC_WRAPPER", &wrapper))
    };
    let questions = || {
        let log = fs::read_to_string(&log).unwrap();
        log.lines().filter(|line| line.ends_with(" -vV") || line.contains(" ___ ")).count()
    };
    check("path:../same").finds_equivalent();
    let asked = questions();
    assert!(asked > 0);
    check("path:../again").finds_equivalent();
    assert_eq!(questions(), asked);
    assert!(!workspace.path("intermediate").exists());
    assert!(!workspace.path("client/target/.rustc_info.json").exists());
}

#[test]
fn the_users_environment_and_configuration_are_kept() {
    let changed_for = |cfg: &str| {
        format!("#[cfg({cfg})]\nconst N: u32 = 2;\n#[cfg(not({cfg}))]\nconst N: u32 = 1;\n")
    };
    let library = |cfg: &str| changed_for(cfg) + "pub fn used(x: u32) -> u32 { x ^ N }\n";
    let workspace = Workspace::new()
        .package("old", "dep", "1.0.0", "", &library("any()"))
        .package("flagged", "dep", "1.0.1", "", &library("flagged"))
        .package("aborting", "dep", "1.0.1", "", &library("panic = \"abort\""))
        .package("unchecked", "dep", "1.0.1", "", &library("not(debug_assertions)"));
    let with = |name: &str, value: &str, to: &str| {
        let mut command = workspace.cse(&["check", "dep", "--to", &format!("path:../{to}")]);
        ran(command.env(name, value))
    };
    workspace.check("flagged").finds_equivalent();
    with("RUSTFLAGS", "--cfg flagged --cap-lints=warn", "flagged").sees_the_change();
    with("CARGO_PROFILE_DEV_PANIC", "abort", "aborting").sees_the_change();
    workspace.check("unchecked").finds_equivalent();
    with("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false", "unchecked").sees_the_change();
    with("RUSTUP_TOOLCHAIN", "stable", "flagged").finds_equivalent();
    with("CARGO_TARGET_DIR", "elsewhere", "flagged").finds_equivalent();
    assert!(workspace.path("client/elsewhere/cse").is_dir());
    let host = "x86_64-unknown-linux-gnu";
    with("CARGO_BUILD_TARGET", host, "flagged").finds_equivalent();
    let workspace =
        workspace.with("client/.cargo/config.toml", "build.rustflags = [\"--cfg\", \"flagged\"]");
    workspace.check("flagged").sees_the_change();
}

#[test]
fn a_program_that_aborts_on_panic_is_judged() {
    let aborting = "[profile.dev]\npanic = \"abort\"\n[dependencies]\ndep = { path = \"../old\" }";
    let workspace = Workspace::new()
        .client(aborting, "")
        .with("client/src/main.rs", "fn main() { std::process::exit(dep::used(1) as i32) }");
    workspace.check("same").finds_equivalent();
    workspace.check("changed").sees_the_change();
}

#[test]
fn json_is_one_document_also_for_failures() {
    let workspace = Workspace::new();
    let json = |arguments: &[&str], code: i32| {
        let arguments = [&["check", "--message-format", "json"], arguments].concat();
        let ran = workspace.run(&arguments).exits(code);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(ran.stdout.lines().count(), 1);
        document["upgrades"][0].clone()
    };
    let equivalent = json(&["dep", "--to", "path:../same"], 0);
    assert_eq!(equivalent["verdict"], "equivalent");
    let failed = json(&["dep", "--to", "path:../renamed"], 101);
    assert_eq!(failed["verdict"], Value::Null);
    assert!(failed["error"]["help"].as_str().unwrap().starts_with("the API changed"));
    let missing = json(&["nothing"], 101);
    assert_eq!(missing["error"]["message"], "the client does not depend on `nothing`");
}

#[test]
fn who_closes_the_pipe_has_read_enough_and_a_full_disk_is_said() {
    let workspace = Workspace::new();
    workspace.check("changed").sees_the_change();
    let mut command = workspace.cse(&["check", "dep", "--to", "path:../changed", "-q"]);
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ended = Ran::from(child.wait_with_output().unwrap()).exits(100);
    assert_eq!(ended.stderr, "");
    let mut command = workspace.cse(&["check", "dep", "--to", "path:../changed"]);
    let full = File::options().write(true).open("/dev/full").unwrap();
    ran(command.stdout(full)).exits(101).says("error: cannot write the result");
}

#[test]
fn targets_and_features_are_chosen_as_in_cargo() {
    let manifest = "[features]\ndefault = [\"on\"]\non = [\"dep:dep\"]\n[dependencies]\n\
                    dep = { path = \"../old\", optional = true }";
    let workspace = Workspace::new()
        .client(manifest, "pub fn f() -> u32 { 1 }")
        .with("client/src/main.rs", "fn main() { std::process::exit(client::f() as i32) }")
        .with(
            "client/src/bin/two.rs",
            "fn main() {\n#[cfg(feature = \"on\")]\nstd::process::exit(dep::used(1) as i32)\n}",
        );
    let check = |arguments: &[&str]| {
        workspace.run(&[&["check", "dep", "--to", "path:../changed"], arguments].concat())
    };
    check(&[]).sees_the_change();
    check(&["--lib"]).finds_equivalent();
    check(&["--bin", "client"]).finds_equivalent();
    check(&["--bin", "two"]).sees_the_change();
    check(&["--bin", "three"]).exits(101).says("no bin target named `three`");
    check(&["--no-default-features"]).exits(0).says("build does not contain it");
    check(&["--no-default-features", "--features", "on"]).sees_the_change();
}

#[test]
fn members_of_a_workspace_are_chosen_as_in_cargo() {
    let uses = "[dependencies]\ndep = { path = \"../old\" }";
    let workspace = Workspace::new()
        .with(
            "Cargo.toml",
            "[workspace]\nmembers = [\"client\", \"quiet\"]\ndefault-members = [\"quiet\"]\n\
             exclude = [\"old\", \"same\", \"changed\"]\nresolver = \"2\"\n",
        )
        .package("quiet", "quiet", "0.1.0", uses, "pub fn f() -> u32 { 1 }");
    let check = |directory: &str, arguments: &[&str]| {
        let to = format!("path:{}", workspace.path("changed").display());
        let mut command =
            workspace.cse(&[&["check", "dep", "--to", to.as_str()], arguments].concat());
        ran(command.current_dir(workspace.path(directory)))
    };
    check("", &[]).finds_equivalent();
    check("", &["--workspace"]).sees_the_change();
    check("", &["-p", "client"]).sees_the_change();
    check("", &["--workspace", "--exclude", "client"]).finds_equivalent();
    check("client", &[]).sees_the_change();
    check("quiet", &[]).finds_equivalent();
}

#[test]
fn what_a_build_script_generates_is_code_of_the_client() {
    let script = "fn main() {\n\
                  let out = std::env::var(\"OUT_DIR\").unwrap();\n\
                  std::fs::write(out + \"/table.rs\", format!(\"pub fn table() -> u32 {{ {} }}\", dep::used(1))).unwrap();\n}";
    let workspace = Workspace::new()
        .client(
            "[build-dependencies]\ndep = { path = \"../old\" }",
            "include!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));",
        )
        .with("client/build.rs", script);
    workspace.check("same").finds_equivalent();
    workspace.check("changed").sees_the_change().says("the code of `client::table` itself changed");
}

fn with_macro(workspace: Workspace, path: &str, version: &str, value: u32) -> Workspace {
    let library = format!(
        "#[proc_macro]\npub fn number(_: proc_macro::TokenStream) -> proc_macro::TokenStream {{\n\
         \"{value}u32\".parse().unwrap()\n}}"
    );
    workspace.package(path, "number", version, "[lib]\nproc-macro = true", &library)
}

#[test]
fn a_procedural_macro_is_judged_by_what_it_expands_to() {
    let mut workspace = Workspace::new();
    for (path, version, value) in [("1", "1.0.0", 1), ("1b", "1.0.1", 1), ("2", "1.0.2", 2)] {
        workspace = with_macro(workspace, path, version, value);
    }
    let manifest = "[dependencies]\nnumber = { path = \"../1\" }";
    let check = |workspace: &Workspace, to| workspace.run(&["check", "number", "--to", to]);
    let workspace = workspace.client(manifest, "pub fn f() -> u32 { number::number!() }");
    check(&workspace, "path:../1b").finds_equivalent();
    check(&workspace, "path:../2").sees_the_change().says("the code of `client::f` itself changed");
    // Where others expand it, its expansions are not known.
    let workspace = workspace.client(manifest, "pub use number::number;");
    check(&workspace, "path:../1b").sees_the_change();
}

#[test]
fn a_procedural_macro_of_the_workspace_is_compared_by_what_it_is_built_from() {
    let workspace = Workspace::new().client(
        "[lib]\nproc-macro = true\n[dependencies]\ndep = { path = \"../old\" }",
        "#[proc_macro]\npub fn m(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
         dep::used(1).to_string().parse().unwrap()\n}",
    );
    workspace.check("same").sees_the_change().says("a procedural macro of the workspace (client)");
    let uses = "[dependencies]\nclient = { path = \"../client\" }\nother = { path = \"../other\" }";
    let workspace = workspace
        .with(
            "Cargo.toml",
            "[workspace]\nmembers = [\"client\", \"user\"]\nresolver = \"2\"\n\
             exclude = [\"old\", \"other\", \"other2\"]\n",
        )
        .package("other", "other", "1.0.0", "", "pub fn unused() {}")
        .package("other2", "other", "1.0.1", "", "")
        .package("user", "user", "0.1.0", uses, "pub fn f() -> u32 { client::m!() }");
    let to = ["check", "other", "--to", "path:../other2", "--workspace"];
    workspace.run(&to).finds_equivalent();
}

/// A package whose build script compiles what `source` says and links it.
fn native(workspace: Workspace, path: &str, version: &str, source: &str, rest: &str) -> Workspace {
    let script = format!(
        "use std::process::Command;\n\
         fn main() {{\n\
         let out = std::env::var(\"OUT_DIR\").unwrap();\n\
         std::fs::write(format!(\"{{out}}/n.c\"), {source}).unwrap();\n\
         let run = |c: &mut Command| assert!(c.current_dir(&out).status().unwrap().success());\n\
         run(Command::new(\"cc\").args([\"-c\", \"n.c\"]));\n\
         run(Command::new(\"ar\").args([\"cr\", \"libn.a\", \"n.o\"]));\n\
         println!(\"cargo::rustc-link-search={{out}}\");\n\
         println!(\"cargo::rustc-link-lib=static=n\");\n}}"
    );
    let library = "extern \"C\" { fn native() -> i32; }\n\
                   pub fn get() -> i32 { unsafe { native() } }\npub fn pure() -> i32 { 3 }";
    workspace
        .package(path, "native", version, rest, library)
        .with(&format!("{path}/build.rs"), &script)
}

#[test]
fn foreign_code_that_moves_is_never_taken_for_the_same() {
    let code = |value: u32| format!("\"int native(void) {{ return {value}; }}\"");
    let workspace = native(Workspace::new(), "n1", "1.0.0", &code(1), "");
    let workspace = native(workspace, "n2", "1.0.1", &code(2), "");
    let manifest = "[dependencies]\nnative = { path = \"../n1\" }";
    let check = |workspace: &Workspace| workspace.run(&["check", "native", "--to", "path:../n2"]);
    let workspace = workspace.client(manifest, "pub fn f() -> i32 { native::pure() }");
    check(&workspace).finds_equivalent();
    let workspace = workspace.client(manifest, "pub fn f() -> i32 { native::get() }");
    check(&workspace).sees_the_change().says("code that is not Rust moves with the upgrade");
}

#[test]
fn foreign_code_moves_between_two_revisions_of_one_branch() {
    let code = |value: u32| format!("\"int native(void) {{ return {value}; }}\"");
    let workspace = native(Workspace::new(), "n", "1.0.0", &code(1), "");
    let manifest = format!("[dependencies]\nnative = {}", committed(&workspace, "n"));
    let workspace = workspace.client(&manifest, "pub fn f() -> i32 { native::get() }");
    lock(&workspace);
    let workspace = native(workspace, "n", "1.0.0", &code(2), "");
    committed(&workspace, "n");
    let ran = workspace.run(&["check", "native"]);
    ran.sees_the_change().says("code that is not Rust moves with the upgrade");
}

#[test]
fn foreign_code_moves_with_a_build_dependency_too() {
    let source = "dep::source()";
    let rest = "[build-dependencies]\ndep = { path = \"../old\" }";
    let code = |value: u32| {
        format!("pub fn source() -> &'static str {{ \"int native(void) {{ return {value}; }}\" }}")
    };
    let workspace = native(Workspace::new(), "client/native", "1.0.0", source, rest)
        .package("old", "dep", "1.0.0", "", &code(1))
        .package("changed", "dep", "1.0.1", "", &code(2))
        .client(
            "[workspace]\nmembers = [\"native\"]\n[dependencies]\nnative = { path = \"native\" }",
            "pub fn f() -> i32 { native::get() }",
        )
        .with_replaced("client/native/Cargo.toml", "../old", "../../old");
    workspace.check("changed").sees_the_change().says("`native::native`");
}

#[test]
fn assembly_and_initialisers_of_a_dependency_are_seen() {
    let assembly = |value: u32| {
        format!(
            "core::arch::global_asm!(\".globl number\", \"number: mov eax, {value}\", \"ret\");\n\
             extern \"C\" {{ fn number() -> u32; }}\n\
             pub fn used(_: u32) -> u32 {{ unsafe {{ number() }} }}"
        )
    };
    let initialiser = |value: u32| {
        format!(
            "extern \"C\" fn early() {{ std::process::exit({value}) }}\n\
             #[used]\n#[link_section = \".init_array\"]\n\
             static EARLY: extern \"C\" fn() = early;\n\
             {USED}"
        )
    };
    for code in [&assembly as &dyn Fn(u32) -> String, &initialiser] {
        Workspace::new()
            .package("old", "dep", "1.0.0", "", &code(1))
            .package("changed", "dep", "1.0.1", "", &code(2))
            .check("changed")
            .sees_the_change();
    }
}

#[test]
fn every_kind_of_client_is_judged() {
    let dependency = "dep = { path = \"../old\" }";
    let clients = [
        (
            "[lib]\ncrate-type = [\"cdylib\", \"staticlib\"]",
            "#[no_mangle]\nextern \"C\" fn f() -> u32 { dep::used(1) }",
        ),
        ("", "#![no_std]\npub fn f() -> u32 { dep::used(1) }"),
        ("", "extern crate dep as other;\npub fn f() -> u32 { other::used(1) }"),
    ];
    for (rest, library) in clients {
        let manifest = format!("{rest}\n[dependencies]\n{dependency}");
        let workspace = Workspace::new().client(&manifest, library);
        workspace.check("same").finds_equivalent();
        workspace.check("changed").sees_the_change();
    }
    let renamed = "[dependencies]\nnick = { path = \"../old\", package = \"dep\" }";
    let workspace = Workspace::new()
        .client(renamed, "extern crate nick; pub fn f() -> u32 { ::nick::used(1) }")
        .with_replaced("client/Cargo.toml", "edition = \"2021\"", "edition = \"2015\"");
    workspace.check("changed").sees_the_change();
    workspace.run(&["check", "nick"]).exits(101).says("help: did you mean `dep`?");
}

#[test]
fn what_only_tests_and_examples_use_is_equivalent_for_that_reason() {
    let dependency = "dep = { path = \"../old\" }";
    Workspace::new()
        .client(&format!("[dev-dependencies]\n{dependency}"), "#[test]\nfn t() { dep::used(1); }")
        .check("changed")
        .exits(0)
        .says(": not in your build\n")
        .says("only tests, examples or benches use it (dev-dependency)");
    let only_examples = Workspace::new()
        .client(&format!("[dependencies]\n{dependency}"), "")
        .with("client/examples/e.rs", "fn main() { dep::used(1); }");
    fs::remove_dir_all(only_examples.path("client/src")).unwrap();
    only_examples
        .check("changed")
        .finds_equivalent()
        .says("only tests, examples or benches can use it");
}

#[test]
fn of_two_versions_in_the_graph_the_right_one_moves() {
    let workspace = Workspace::new()
        .package(
            "middle",
            "middle",
            "1.0.0",
            "[dependencies]\ndep = { path = \"../old\" }",
            "pub fn f() -> u32 { dep::used(1) }",
        )
        .package("two", "dep", "2.0.0", "", USED)
        .package("two1", "dep", "2.0.1", "", "pub fn used(x: u32) -> u32 { x ^ 2 }")
        .client(
            "[dependencies]\nmiddle = { path = \"../middle\" }\ndep = { path = \"../two\" }",
            "pub fn f() -> u32 { middle::f() }\npub fn g() -> u32 { dep::used(1) }",
        );
    let run = workspace.run(&["check", "dep", "--from", "2.0.0", "--to", "path:../two1"]);
    run.sees_the_change().says("dep 2.0.0 -> 2.0.1 (").says("1 different, 1 equivalent");
}

#[test]
fn callers_bring_types_of_crates_that_the_client_never_mentions() {
    let traits = |number: u32| {
        format!("pub trait Tr {{ fn v(&self) -> u32; }}\npub const NUMBER: u32 = {number};")
    };
    let workspace = Workspace::new()
        .package("old", "dep", "1.0.0", "", &traits(1))
        .package("other", "dep", "1.0.1", "", &traits(2))
        .package(
            "client/middle",
            "middle",
            "1.0.0",
            "[dependencies]\ndep = { path = \"../../old\" }",
            "pub struct Mine;\nimpl dep::Tr for Mine { fn v(&self) -> u32 { dep::NUMBER } }",
        )
        .client(
            "[workspace]\nmembers = [\"middle\"]\n\
             [dependencies]\nmiddle = { path = \"middle\" }\ndep = { path = \"../old\" }",
            "pub fn f(it: Box<dyn dep::Tr>) -> u32 { it.v() }",
        );
    workspace.check("other").sees_the_change();
}

#[test]
fn update_writes_what_is_equivalent_for_every_member_and_nothing_else() {
    let workspace = Workspace::new()
        .client(
            "[workspace]\nmembers = [\"member\"]\ndefault-members = [\".\"]\n\
             [dependencies]\nhex = \"0.4\"",
            "",
        )
        .package(
            "client/member",
            "member",
            "0.1.0",
            "[dependencies]\nitoa = \"1\"",
            "pub fn f(x: u32) -> usize { itoa::Buffer::new().format(x).len() }",
        );
    let client = workspace.path("client");
    let lock = client.join("Cargo.lock");
    for arguments in [
        ["generate-lockfile", "-q", "--color", "never"],
        ["update", "-q", "hex", "--precise=0.4.2"],
        ["update", "-q", "itoa", "--precise=1.0.9"],
    ] {
        let mut cargo = Command::new("cargo");
        assert!(cargo.args(arguments).current_dir(&client).status().unwrap().success());
    }
    let before = fs::read_to_string(&lock).unwrap();
    let update = |arguments: &[&str]| {
        workspace.run(&[&["update", "hex@0.4.3", "itoa@1.0.15"], arguments].concat())
    };
    update(&["--locked"]).exits(101).says("--locked forbids to write Cargo.lock");
    update(&["--dry-run"]).exits(102).says("would write Cargo.lock: hex 0.4.2 -> 0.4.3\n");
    assert_eq!(fs::read_to_string(&lock).unwrap(), before);
    update(&[]).exits(102).says("wrote Cargo.lock: hex 0.4.2 -> 0.4.3\n");
    let after = fs::read_to_string(&lock).unwrap();
    assert!(after.contains("name = \"hex\"\nversion = \"0.4.3\""), "{after}");
    assert!(after.contains("name = \"itoa\"\nversion = \"1.0.9\""), "{after}");
    // What is locked already is no upgrade, and what is unknown is not written.
    update(&[])
        .exits(102)
        .says("hex 0.4.3 is locked already\n")
        .says("Cargo.lock stays as it is: no upgrade that it can take is known to be equivalent\n");
    assert_eq!(fs::read_to_string(&lock).unwrap(), after);
}

#[test]
fn a_log_has_a_line_for_each_stage() {
    let stderr = Workspace::new().check("changed").sees_the_change().stderr;
    for stage in
        ["finding the versions (", "building with dep 1.0.0, 2 of 2 packages (", "proving, 1 of 1"]
    {
        assert!(stderr.lines().any(|line| line.starts_with(stage)), "{stage} is not in:\n{stderr}");
    }
    assert!(stderr.lines().all(|line| line.ends_with(" s)")), "{stderr}");
}

#[test]
fn build_scripts_find_a_stable_compiler() {
    let script = "use std::{env, fs, process::Command};\nfn main() {\n\
        let out = env::var(\"OUT_DIR\").unwrap();\nlet probe = format!(\"{out}/probe.rs\");\n\
        fs::write(&probe, \"#![feature(rustc_attrs)]\").unwrap();\n\
        let mut probing = Command::new(env::var_os(\"RUSTC_WRAPPER\").unwrap());\n\
        probing.arg(env::var_os(\"RUSTC\").unwrap());\n\
        probing.args([\"--crate-type=lib\", \"--emit=metadata\", \"--out-dir\", &out, &probe]);\n\
        if probing.status().unwrap().success() {\nprintln!(\"cargo::rustc-cfg=nightly\")\n}\n}\n";
    let code = "#[cfg(nightly)]\ncompile_error!(\"not for this nightly\");\n\
                pub fn used(x: u32) -> u32 { x }\n";
    let workspace = Workspace::new();
    let workspace = ["old", "same"].iter().fold(workspace, |workspace, directory| {
        let workspace = workspace.with(&format!("{directory}/build.rs"), script);
        workspace.with(&format!("{directory}/src/lib.rs"), code)
    });
    workspace.check("same").finds_equivalent();
}
