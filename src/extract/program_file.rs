//! The files that pass programs from the driver to the tool, all in one directory of the tool's
//! own: one a compiled target of the client, and one a crate that says which package it is of and how
//! it was compiled.
//!
//! Files appear whole or not at all, so that a killed run leaves nothing half-written, and they
//! live as long as cargo's own artifacts beside them: a fresh crate is not extracted again.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::settings::{LinkFlags, Settings};
use crate::cfa::{Package, Program};

/// Closes a program file; a file without it is not whole.
const END: &[u8; 8] = b"cse-end\n";

/// What is known of a compiled crate.
#[derive(Serialize, Deserialize)]
pub struct Compiled {
    pub package: Package,
    pub features: Vec<String>,
    pub settings: Settings,
    /// The compiled crates that it uses directly, by the names of their files.
    pub uses: Vec<String>,
    pub link_flags: LinkFlags,
}

pub fn write(directory: &Path, unit: &str, program: &Program) -> io::Result<()> {
    let mut bytes = postcard::to_stdvec(program).map_err(io::Error::other)?;
    bytes.extend_from_slice(END);
    write_whole(&program_path(directory, unit), &bytes)
}

/// A crate that is compiled again has no program until the new one is written.
pub fn remove(directory: &Path, unit: &str) -> io::Result<()> {
    match fs::remove_file(program_path(directory, unit)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The program of a compiled target; none where the file is missing or is not whole.
pub fn read(directory: &Path, unit: &str) -> Option<Program> {
    let bytes = fs::read(program_path(directory, unit)).ok()?;
    postcard::from_bytes(bytes.strip_suffix(END)?).ok()
}

pub fn write_compiled(directory: &Path, unit: &str, compiled: &Compiled) -> io::Result<()> {
    let bytes = postcard::to_stdvec(compiled).map_err(io::Error::other)?;
    write_whole(&compiled_path(directory, unit), &bytes)
}

pub fn read_compiled(directory: &Path, unit: &str) -> Option<Compiled> {
    postcard::from_bytes(&fs::read(compiled_path(directory, unit)).ok()?).ok()
}

/// The package that cargo is compiling, as it tells the compiler.
pub fn package_from_environment() -> Option<Package> {
    Some(Package {
        name: std::env::var("CARGO_PKG_NAME").ok()?,
        version: std::env::var("CARGO_PKG_VERSION").ok()?,
        manifest_dir: std::env::var("CARGO_MANIFEST_DIR").ok()?,
    })
}

fn program_path(directory: &Path, unit: &str) -> PathBuf {
    directory.join(format!("{unit}.program"))
}

fn compiled_path(directory: &Path, unit: &str) -> PathBuf {
    directory.join(format!("{unit}.package"))
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().expect("the path is inside a directory");
    fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
