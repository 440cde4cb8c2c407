//! The process in which Z3 runs, so that a crash of Z3 ends a query and not the run.
//!
//! **Invariant.** Only this binary knows Z3; `cargo-cse` starts without it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version"] => {
            println!("Z3 {}", z3::full_version());
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: cargo-cse-solver --version");
            ExitCode::from(2)
        }
    }
}
