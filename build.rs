//! Fixes at build time what the binaries need at run time: the pinned toolchain's name and place,
//! and where the driver and the solver find their libraries.

use std::path::Path;
use std::{env, fs, process::Command};

const TOOLCHAIN_FILE: &str = "rust-toolchain.toml";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={TOOLCHAIN_FILE}");
    println!("cargo::rustc-env=CSE_CHANNEL={}", channel());
    println!("cargo::rustc-env=CSE_HOST={}", env::var("TARGET").unwrap());
    println!("cargo::rustc-env=CSE_RUST={}", rust_version());
    let sysroot = sysroot();
    println!("cargo::rustc-env=CSE_SYSROOT={sysroot}");
    println!("cargo::rustc-link-arg-bin=cargo-cse-driver=-Wl,-rpath,{sysroot}/lib");

    require_libz3();
    println!("cargo::rustc-link-arg-bin=cargo-cse-solver=-Wl,-rpath,$ORIGIN/../lib/cargo-cse");
}

fn channel() -> String {
    let text = fs::read_to_string(TOOLCHAIN_FILE).expect("rust-toolchain.toml is in the package");
    let line = text.lines().find(|line| line.starts_with("channel"));
    let value = line.and_then(|line| line.split('"').nth(1));
    value.expect("rust-toolchain.toml names the channel").to_owned()
}

/// A nightly can build what its release will, and is taken for it.
fn rust_version() -> String {
    let text = rustc(&["-vV"]);
    let release = text.lines().find_map(|line| line.strip_prefix("release: "));
    let release = release.expect("rustc tells its release");
    release.split('-').next().unwrap_or(release).to_owned()
}

fn sysroot() -> String {
    rustc(&["--print", "sysroot"]).trim_end().to_owned()
}

fn rustc(arguments: &[&str]) -> String {
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let output = Command::new(rustc).args(arguments).output().expect("rustc can be run");
    String::from_utf8(output.stdout).expect("rustc writes UTF-8")
}

/// Without this the linker would be the first to miss it, and would not say what to do.
fn require_libz3() {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let Some(directory) = env::var_os("Z3_LIBRARY_PATH_OVERRIDE") else {
        return;
    };
    let library = Path::new(&directory).join("libz3.so");
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo::error=libz3 is not there yet: run `make libz3` once");
    }
}
