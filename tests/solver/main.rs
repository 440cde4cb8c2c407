//! The solver with real processes: what it proves and refutes, that both encodings keep the meaning
//! of terms, and that no way in which a process can end is more than an unknown.

mod agreement;
mod exhaustion;
mod horn;
mod limits;
mod proofs;
mod random;
mod written;

use std::{path::PathBuf, time::Duration};

use cargo_cse::solver::{BitsOp, Solver, Sort, Term, Terms};

const GIGABYTE: u64 = 1 << 30;

/// Far more than any of the questions takes that are to be answered.
const LIMIT: Duration = Duration::from_secs(60);

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_cargo-cse-solver").into()
}

fn solver() -> Solver {
    Solver::new(program(), GIGABYTE)
}

fn var(terms: &mut Terms, width: u32) -> Term {
    terms.var(Sort::Bits(width))
}

/// An operation with a constant on its right.
fn by(terms: &mut Terms, op: BitsOp, left: Term, right: u128) -> Term {
    let right = terms.bits(right, terms.width(left));
    terms.binary(op, left, right)
}
