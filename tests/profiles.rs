//! Profiles that give packages overflow checks of their own. What the code does then was looked up
//! natively, for each of these.

mod workspace;

use workspace::Workspace;

const CHECKED: &str = "pub fn add(a: u8, b: u8) -> u8 { a.checked_add(b).unwrap() }";
const PLAIN: &str = "pub fn add(a: u8, b: u8) -> u8 { a + b }";
const WRAPPING: &str = "pub fn add(a: u8, b: u8) -> u8 { a.wrapping_add(b) }";

/// A client that adds by the dependency, with this at the end of its manifest.
fn client(manifest: &str, old: &str, new: &str) -> Workspace {
    let workspace = Workspace::new();
    for (directory, version, source) in [("old", "1.0.0", old), ("new", "1.0.1", new)] {
        workspace.write_package(directory, "dep", version, "");
        workspace.write(&format!("{directory}/src/lib.rs"), source);
    }
    let rest = format!("{manifest}\n[dependencies.dep]\npath = \"../old\"\n");
    workspace.write_package("client", "client", "0.1.0", &rest);
    workspace.write("client/src/lib.rs", "pub fn add(a: u8, b: u8) -> u8 { dep::add(a, b) }");
    workspace
}

/// The verdicts on the upgrades to a sum that panics and to one that wraps.
fn verdicts(manifest: &str, old: &str, arguments: &[&str]) -> [&'static str; 2] {
    [CHECKED, WRAPPING].map(|new| {
        let workspace = client(manifest, old, new);
        let arguments = [&["check", "dep", "--to", "path:../new"], arguments].concat();
        let run = workspace.cse(&arguments);
        let verdict = run.verdict();
        assert_ne!(verdict, "none", "{}{}", run.report, run.errors);
        verdict
    })
}

fn never_inlined(source: &str) -> String {
    format!("#[inline(never)]\n{source}")
}

#[test]
fn a_release_profile_can_check_in_the_dependency_alone() {
    let manifest = "[profile.release.package.dep]\noverflow-checks = true\n";
    let verdicts = verdicts(manifest, &never_inlined(PLAIN), &["--release"]);
    assert_eq!(verdicts, ["equivalent", "different"]);
}

#[test]
fn who_generates_a_small_function_of_an_optimised_crate_is_not_known() {
    let manifest = "[profile.release.package.dep]\noverflow-checks = true\n";
    let [checked, wrapping] = verdicts(manifest, PLAIN, &["--release"]);
    // The client generates it, and checks nothing.
    assert_eq!([checked, wrapping], ["different", "unknown"]);
}

#[test]
fn a_profile_of_the_user_s_own_counts() {
    let manifest = "[profile.mine]\ninherits = \"dev\"\n\
                    [profile.mine.package.\"*\"]\noverflow-checks = false\n";
    let verdicts = verdicts(manifest, PLAIN, &["--profile", "mine"]);
    assert_eq!(verdicts, ["different", "equivalent"]);
}

#[test]
fn a_profile_can_be_for_one_version_only() {
    let manifest = "[profile.dev.package.\"dep@1.0.0\"]\noverflow-checks = false\n";
    let workspace = client(manifest, PLAIN, PLAIN);
    assert_eq!(workspace.check().verdict(), "different");
}

#[test]
fn cargo_s_configuration_counts() {
    let workspace = client("", PLAIN, WRAPPING);
    let profile = "[profile.dev.package.dep]\noverflow-checks = false\n";
    workspace.write("client/.cargo/config.toml", profile);
    assert_eq!(workspace.check().verdict(), "equivalent");
    // What was built before was built with other flags.
    workspace.write("client/.cargo/config.toml", "");
    assert_eq!(workspace.check().verdict(), "different");
}

#[test]
fn a_crate_between_the_two_checks_what_it_generates() {
    let abs = |body: &str| format!("#[inline]\npub fn abs(a: i8) -> i8 {{ {body} }}");
    let workspace = client("", &abs("a.abs()"), &abs("a.wrapping_abs()"));
    workspace.write(
        "client/Cargo.toml",
        "[workspace]\nmembers = [\"mid\"]\n\
         [package]\nname = \"client\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\nmid = { path = \"mid\" }\n\
         [profile.dev.package.mid]\noverflow-checks = false\n",
    );
    workspace.write(
        "client/mid/Cargo.toml",
        "[package]\nname = \"mid\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\ndep = { path = \"../../old\" }\n",
    );
    workspace.write("client/mid/src/lib.rs", "pub fn abs(a: i8) -> i8 { dep::abs(a) }");
    workspace.write("client/src/lib.rs", "pub fn abs(a: i8) -> i8 { mid::abs(a) }");
    assert_eq!(workspace.check().verdict(), "equivalent");
    workspace.write("client/mid/src/lib.rs", "#[inline]\npub fn abs(a: i8) -> i8 { dep::abs(a) }");
    assert_eq!(workspace.check().verdict(), "different");
}
