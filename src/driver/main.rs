//! The rustc driver: compiles a crate of the client as rustc would, and writes what its entry
//! points reach as a [`cargo_cse::cfa::Program`].
//!
//! In: rustc's arguments, and `CARGO_CSE_DIR`. Out: the crate's metadata, and a program file.
//!
//! **Invariant.** Only this stage knows rustc. It reads MIR through `rustc_middle` and not through
//! `rustc_public`: the latter panics on tail calls and unsafe binders, has no generic form, and
//! knows no vtables, visibilities or shims, so that every second line would leave it anyway.
#![feature(rustc_private)]

extern crate rustc_abi;
extern crate rustc_data_structures;
extern crate rustc_driver;
extern crate rustc_hir;
extern crate rustc_hir_id;
extern crate rustc_index;
extern crate rustc_interface;
extern crate rustc_middle;
extern crate rustc_span;
extern crate rustc_structures;
extern crate rustc_type_ir;

mod collect;
mod constants;
mod drops;
mod entries;
mod hidden;
mod lower;
mod names;
mod outside;
mod packages;
mod panics;
mod paths;
mod spans;
mod types;
mod vtables;

use std::mem;
use std::path::PathBuf;
use std::process::ExitCode;

use cargo_cse::extract::program_file;
use rustc_driver::{Callbacks, Compilation};
use rustc_interface::interface::Compiler;
use rustc_middle::ty::TyCtxt;
use rustc_span::def_id::LOCAL_CRATE;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let Some(directory) = std::env::var_os(program_file::DIRECTORY_VARIABLE) else {
        eprintln!("cargo-cse-driver is started by `cargo cse`, not by hand");
        return ExitCode::FAILURE;
    };
    let mut extraction = Extraction { directory: directory.into(), failure: None };
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
    failure: Option<String>,
}

impl Callbacks for Extraction {
    fn after_analysis<'tcx>(&mut self, _: &Compiler, tcx: TyCtxt<'tcx>) -> Compilation {
        let program = collect::program(tcx, &self.directory);
        let unit = packages::unit(tcx, LOCAL_CRATE).expect("the compiled crate has a name");
        let written = program_file::write(&self.directory, &unit, &program);
        // The process ends soon, and giving its memory back piece by piece would take long.
        mem::forget(program);
        match written {
            Ok(()) => Compilation::Continue,
            Err(error) => {
                self.failure = Some(format!("cannot write the program of {unit}: {error}"));
                Compilation::Stop
            }
        }
    }
}
