//! The rustc driver: compiles a crate of the client as rustc would, and writes what its entry
//! points reach as a [`cargo_cse::cfa::Program`].
//!
//! In: rustc's arguments, and `CARGO_CSE_DIR`. Out: the crate's metadata, and then a program file; of a
//! published dependency (`published`), the metadata only.
//!
//! **Invariant.** Only this stage knows rustc. It reads MIR through `rustc_middle` and not through
//! `rustc_public`: the latter panics on tail calls and unsafe binders, has no generic form, and
//! knows no vtables, visibilities or shims, so that every second line would leave it anyway.
#![feature(rustc_private)]

extern crate rustc_abi;
extern crate rustc_ast_pretty;
extern crate rustc_attr_ir;
extern crate rustc_data_structures;
extern crate rustc_driver;
extern crate rustc_hir;
extern crate rustc_hir_id;
extern crate rustc_index;
extern crate rustc_interface;
extern crate rustc_middle;
extern crate rustc_session;
extern crate rustc_span;
extern crate rustc_structures;
extern crate rustc_type_ir;

mod collect;
mod constants;
mod drops;
mod generated;
mod implicit;
mod interface;
mod lower;
mod messages;
mod names;
mod outside;
mod packages;
mod panics;
mod paths;
mod published;
mod spans;
mod std_items;
mod types;
mod vtables;

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{io, mem};

use cargo_cse::cargo::wrapping;
use cargo_cse::extract::{background, program_file, wrapper};
use mimalloc::MiMalloc;
use rustc_driver::{Callbacks, Compilation};
use rustc_interface::Linker;
use rustc_interface::interface::{Compiler, Config};
use rustc_middle::ty::TyCtxt;
use rustc_session::config::{ExternEntry, Externs};
use rustc_span::def_id::LOCAL_CRATE;

use crate::packages::Packages;
use crate::published::Published;

/// Stands in for the C library's allocator too, which is that of the compiler's own library.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let Some(directory) = std::env::var_os(wrapping::DIRECTORY_VARIABLE) else {
        eprintln!("cargo-cse-driver is started by `cargo cse`, not by hand");
        return ExitCode::FAILURE;
    };
    if std::env::var_os(wrapping::PUBLISHED_VARIABLE).is_some() {
        return rustc_driver::catch_with_exit_code(|| {
            rustc_driver::compiler_entrypoint(&args, &mut Published);
            ExitCode::SUCCESS
        });
    }
    let directory = PathBuf::from(directory);
    let unit = wrapper::unit(&std::env::args_os().collect::<Vec<_>>());
    let lock = unit.and_then(|unit| background::lock(&directory, &unit));
    let mut extraction = Extraction { directory, lock, failure: None };
    let status = rustc_driver::catch_with_exit_code(|| {
        panics::install();
        rustc_driver::compiler_entrypoint(&args, &mut extraction);
        ExitCode::SUCCESS
    });
    match extraction.failure {
        Some(failure) => {
            eprintln!("cargo-cse-driver: {failure}");
            ExitCode::FAILURE
        }
        None => status,
    }
}

struct Extraction {
    directory: PathBuf,
    /// Kept until the program is written.
    lock: Option<File>,
    failure: Option<String>,
}

impl Extraction {
    fn extract(&self, compiler: &Compiler, tcx: TyCtxt<'_>, unit: &str) -> io::Result<()> {
        // From here on cargo may take the crate for fresh.
        program_file::remove(&self.directory, unit)?;
        let backend = &*compiler.codegen_backend;
        Linker::codegen_and_build_linker(tcx, backend).link(&compiler.sess, None, backend);
        // Nothing may be read after cargo goes on: it can be the other side's by then.
        let packages = Packages::of(tcx, &self.directory);
        let _place = self.lock.as_ref().and_then(|_| background::leave(&self.directory));
        let program = collect::program(tcx, packages);
        // What the compiler has to say against it ends the compilation.
        if tcx.dcx().has_errors_or_delayed_bugs().is_none() {
            program_file::write(&self.directory, unit, &program)?;
        }
        // The process ends soon, and giving its memory back piece by piece would take long.
        mem::forget(program);
        Ok(())
    }
}

impl Callbacks for Extraction {
    fn config(&mut self, config: &mut Config) {
        // What it would keep is not asked for here.
        config.opts.incremental = None;
        // Callers can bring the types of all that the client depends on, also of what it never mentions.
        let all = config.opts.externs.iter();
        let all = all.map(|(name, it)| (name.clone(), ExternEntry { force: true, ..it.clone() }));
        config.opts.externs = Externs::new(all.collect());
    }

    fn after_analysis<'tcx>(&mut self, compiler: &Compiler, tcx: TyCtxt<'tcx>) -> Compilation {
        let unit = packages::unit(tcx, LOCAL_CRATE).expect("the compiled crate has a name");
        if let Err(error) = self.extract(compiler, tcx, &unit) {
            self.failure = Some(format!("cannot write the program of {unit}: {error}"));
        }
        self.lock = None;
        Compilation::Stop
    }
}
