//! Foreign code moves with an upgrade only if what is linked differs, whatever the build script that
//! says so was built from.

mod workspace;

use workspace::{Run, Workspace};

const USES_NATIVE: &str = "unsafe extern \"C\" { fn native() -> i32; }\n\
                           pub fn run() -> i32 { unsafe { native() } }\n";

/// C code that returns a number.
fn c(number: u32) -> String {
    format!("int native(void) {{ return {number}; }}")
}

/// A build script that compiles the C code which `source` evaluates to, and then does what `rest` says.
fn script(source: &str, rest: &str) -> String {
    format!(
        "use std::process::Command;\n\
         fn main() {{\n\
         let out = std::env::var(\"OUT_DIR\").unwrap();\n\
         std::fs::write(format!(\"{{out}}/n.c\"), {source}).unwrap();\n\
         let run = |c: &mut Command| assert!(c.current_dir(&out).status().unwrap().success());\n\
         run(Command::new(\"cc\").args([\"-c\", \"n.c\"]));\n\
         run(Command::new(\"ar\").args([\"cr\", \"libn.a\", \"n.o\"]));\n\
         {rest}\n}}\n"
    )
}

/// Judges the upgrade of a build dependency that gives the client's script a text.
fn with_build_dependency(library: &str, script: &str, texts: [&str; 2]) -> Run {
    let workspace = Workspace::new();
    for (directory, version, text) in [("old", "1.0.0", texts[0]), ("new", "1.0.1", texts[1])] {
        workspace.write_package(directory, "dep", version, "");
        // The code differs in any case.
        let code = format!("pub fn text() -> &'static str {{ {text:?} }}\n// {version}\n");
        workspace.write(&format!("{directory}/src/lib.rs"), &code);
    }
    let rest = "[build-dependencies]\ndep = { path = \"../old\" }\n";
    workspace.write_package("client", "client", "0.1.0", rest);
    workspace.write("client/src/lib.rs", library);
    workspace.write("client/build.rs", script);
    workspace.check()
}

#[track_caller]
fn finds_equivalent(run: &Run) {
    assert_eq!(run.verdict(), "equivalent", "{}{}", run.report, run.errors);
}

#[track_caller]
fn sees_the_change(run: &Run) {
    assert!(["unknown", "different"].contains(&run.verdict()), "{}{}", run.report, run.errors);
    assert!(run.report.contains("code that is not Rust"), "{}", run.report);
}

#[test]
fn what_a_moved_script_links_is_compared_by_its_bytes() {
    let says = [
        "println!(\"cargo::rustc-link-search={out}\\ncargo::rustc-link-lib=static=n\");",
        "println!(\"cargo::rustc-link-arg={out}/n.o\");",
        "println!(\"cargo::rustc-env=LIBRARY_PATH={out}\\ncargo::rustc-link-lib=n\");",
    ];
    let (one, two) = (c(1), c(2));
    for says in says {
        let script = script("dep::text()", says);
        finds_equivalent(&with_build_dependency(USES_NATIVE, &script, [&one, &one]));
        sees_the_change(&with_build_dependency(USES_NATIVE, &script, [&one, &two]));
    }
}

#[test]
fn a_library_outside_of_the_output_directory_is_in_doubt() {
    let says = "let source = std::env::var(\"CARGO_MANIFEST_DIR\").unwrap();\n\
                run(Command::new(\"cp\").args([\"libn.a\", &source]));\n\
                println!(\"cargo::rustc-link-search={source}\\ncargo::rustc-link-lib=static=n\");";
    let script = script("dep::text()", says);
    sees_the_change(&with_build_dependency(USES_NATIVE, &script, [&c(1), &c(2)]));
}

#[test]
fn a_directory_that_the_system_keeps_libraries_in_is_the_same() {
    let says = "println!(\"cargo::rustc-link-search=native=/usr/lib\\ncargo::rustc-link-lib=m\");";
    let library = "unsafe extern \"C\" { safe fn abs(x: i32) -> i32; }\n\
                   pub fn run(x: i32) -> i32 { abs(x) }\n";
    finds_equivalent(&with_build_dependency(library, &script("dep::text()", says), ["", " "]));
}

#[test]
fn a_script_that_links_nothing_moves_no_foreign_code() {
    let library = "unsafe extern \"C\" { safe fn abs(x: i32) -> i32; }\n\
                   pub fn run(x: i32) -> i32 { abs(x) }\n";
    let script = script("dep::text()", "");
    finds_equivalent(&with_build_dependency(library, &script, [&c(1), &c(2)]));
}

#[test]
fn the_name_of_what_a_script_links_counts() {
    for says in [
        "println!(\"cargo::rustc-link-lib={}\", dep::text());",
        "println!(\"cargo::rustc-link-arg=-l{}\", dep::text());",
        "println!(\"cargo::rustc-link-search=/usr/lib/{}\", dep::text());",
        "println!(\"cargo::rustc-flags=-l {}\", dep::text());",
    ] {
        let script = script("\"\"", says);
        sees_the_change(&with_build_dependency(USES_NATIVE, &script, ["m", "c"]));
    }
}

/// Judges the upgrade of a package that links foreign code itself.
fn native_package(manifest: &str, old: [&str; 2], new: [&str; 2]) -> Run {
    let workspace = Workspace::new();
    for (directory, version, [code, script]) in [("old", "1.0.0", old), ("new", "1.0.1", new)] {
        workspace.write_package(directory, "dep", version, "");
        workspace.write(&format!("{directory}/src/lib.rs"), code);
        workspace.write(&format!("{directory}/build.rs"), script);
    }
    let rest = format!("{manifest}\n[dependencies]\ndep = {{ path = \"../old\" }}\n");
    workspace.write_package("client", "client", "0.1.0", &rest);
    workspace.write(
        "client/src/lib.rs",
        "#[unsafe(no_mangle)]\npub extern \"C\" fn run() -> i32 { dep::run() }",
    );
    workspace.check()
}

#[test]
fn a_package_can_move_without_its_foreign_code() {
    let says = "println!(\"cargo::rustc-link-search={out}\\ncargo::rustc-link-lib=static=n\");";
    let script = |number: u32| script(&format!("{:?}", c(number)), says);
    let (one, commented, two) = (script(1), format!("{}// More.\n", script(1)), script(2));
    let more = format!("{USES_NATIVE}pub fn more() {{}}\n");
    finds_equivalent(&native_package("", [USES_NATIVE, &one], [&more, &commented]));
    sees_the_change(&native_package("", [USES_NATIVE, &one], [&more, &two]));
}

#[test]
fn attributes_that_name_libraries_count() {
    let code = |name: &str| format!("#[link(name = {name:?})]\n{USES_NATIVE}");
    let empty = "fn main() {}";
    sees_the_change(&native_package("", [&code("m"), empty], [&code("c"), empty]));
    finds_equivalent(&native_package("", [&code("m"), empty], [&code("m"), empty]));
}

#[test]
fn arguments_for_a_dynamic_library_come_from_its_dependencies_too() {
    let says = "println!(\"cargo::rustc-link-arg-cdylib={out}/n.o\");";
    let script = |number: u32| script(&format!("{:?}", c(number)), says);
    let manifest = "[lib]\ncrate-type = [\"cdylib\"]";
    let with = |number| {
        native_package(manifest, [USES_NATIVE, &script(1)], [USES_NATIVE, &script(number)])
    };
    finds_equivalent(&with(1));
    sees_the_change(&with(2));
}
