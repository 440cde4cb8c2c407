//! cargo cse: does a dependency upgrade change what *this* crate does?
//!
//! Data flows one way; a directory is a stage, and its `mod.rs` says what comes in, what goes out
//! and which invariant it keeps.
//!
//! ```text
//!  cli, commands   what was asked for, and what each subcommand does
//!      v
//!  upgrade/        which dependency, from what to what: manifests, Cargo.lock, registry, git, paths;
//!      v           two private lock files, so that cargo can build both sides
//!  extract/        runs cargo on each side, with the driver in rustc's place for the client
//!  driver/         the rustc driver (a binary of its own): finds what callers reach of the client
//!      v           (`interface/`, with the rules), walks it and lowers its MIR; the only code that knows
//!                  rustc
//!  cfa/            the IR: programs, functions as control-flow automata, types, constants; graph
//!      v           analyses, loops as functions, normal form, text form
//!  change/         what is identical, what itself changed, which entry points and call sites reach
//!      v           it and how
//!  boundary/       the candidates of each call site, smallest first, and the check over them
//!      v
//!  equiv/          is a pair of functions or loops the same on both sides? engines, cheapest first; and
//!                  where do two runs that differ part?
//!  sym/            runs code on symbolic values
//!  solver/         terms about values, and whether they can be true; Z3 runs in a binary of its own
//!      v           there, the only code that knows it
//!  witness/        from arguments of an entry point to a native run of both builds that differs, kept
//!      v           as a test
//!  check/          from the findings to a verdict per upgrade: the one stage that knows all others
//!      v
//!  report/         terminal and JSON; the only code that knows formats and makes sentences
//! ```
//!
//! What passes from stage to stage is in `model/`: entry points, call sites and boundaries by their ids,
//! verdicts with their evidence. `reason` is all that can keep something undecided, as data; `version` has
//! names for the two versions, `deadline` says when something has to be over,
//! `memo` remembers what was made once; `bits` and `random` are numbers as all stages have them.
//!
//! Beside the pipeline: `toolchain` finds the pinned toolchain and the tool's own parts, `cargo` runs
//! cargo, `interrupt` ends children on Ctrl-C, `error` and `exit` are all ways in which a run can
//! end, `show` and `last` serve `cargo cse show`. Papers are cited by the names under which
//! `docs/references.md` lists them.
//!
//! # What uses what
//!
//! A module uses only what stands above it, and of that only what its line says. `tests/map.rs` reads
//! this.
//!
//! ```text
//! bits:
//! random:
//! exit:
//! version:
//! deadline:
//! memo:
//! reason:
//! error:     exit
//! interrupt: deadline error exit
//! toolchain: error
//! cargo:     error interrupt toolchain
//! upgrade:   cargo error interrupt version
//! cfa:       bits random reason
//! model:     error reason upgrade version
//! extract:   cargo cfa error interrupt model upgrade version
//! driver:    cargo cfa extract reason
//! solver:    bits deadline error interrupt reason
//! change:    cfa memo model reason version
//! sym:       bits cfa deadline memo reason solver
//! equiv:     bits cfa change deadline interrupt memo model random reason solver sym version
//! boundary:  cfa change deadline equiv model reason solver sym version
//! witness:   bits cargo cfa change error interrupt model reason solver sym upgrade version
//! report:    error model reason upgrade witness
//! check:     boundary cargo cfa change deadline equiv error extract interrupt model report solver upgrade version witness
//! cli:       cargo upgrade
//! show:      cfa cli extract version
//! last:      model upgrade
//! commands:  cargo check cli error exit last model report show solver toolchain upgrade witness
//! main:      cli commands error exit extract interrupt report toolchain
//! ```
//!
//! # Where this departs from a simpler design, and why
//!
//! - **Z3 has a process of its own** (`cargo-cse-solver`). A crash of Z3 cannot take a run down, and
//!   `cargo-cse` starts, and can say what to do, also where libz3 is missing.
//! - **The driver reads `rustc_middle`**, not `rustc_public`: see `driver/main.rs`.
//! - **Equality is a partition, not a hash of hashes** (`change/classes.rs`). Recursion, renamed
//!   functions and renumbered closures then need no rules of their own.
//! - **Programs live beside cargo's artifacts.** The driver compiles the client as rustc would, so that
//!   cargo takes an unchanged client for fresh, and a second run need not compile it again.
//! - **A driver may outlive the cargo that started it** (`extract/background.rs`). The old side's program
//!   is then made while cargo builds the new side.
//! - **The driver compiles published dependencies too** (`driver/published.rs`), without checking their
//!   borrows: a first run then takes hardly longer than plain checks, though all MIR is kept.
//! - **A native run is one more binary of the client's package**, not a crate that depends on it. The
//!   lock file, patches, profile and features then hold as they are, and nothing has to be copied.
//! - **Panics stay unwinding.** `-Cpanic=abort` would compile other code than the client's profile
//!   does (`cfg(panic)`), and would hide what runs while a panic unwinds.

pub mod bits;
pub mod boundary;
pub mod cargo;
pub mod cfa;
pub mod change;
pub mod check;
pub mod cli;
pub mod commands;
pub mod deadline;
pub mod equiv;
pub mod error;
pub mod exit;
pub mod extract;
pub mod interrupt;
pub mod last;
pub mod memo;
pub mod model;
pub mod random;
pub mod reason;
pub mod report;
pub mod show;
pub mod solver;
pub mod sym;
pub mod toolchain;
pub mod upgrade;
pub mod version;
pub mod witness;
