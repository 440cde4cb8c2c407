//! The command `cargo cse`, and at the same time what cargo calls in place of rustc.

use std::io::Write;
use std::process::ExitCode;

use cargo_cse::cli::{Cli, Command};
use cargo_cse::error::Error;
use cargo_cse::exit::Exit;
use cargo_cse::extract::wrapper;
use cargo_cse::report::errors;
use cargo_cse::toolchain::sysroot;
use cargo_cse::{commands, interrupt};
use mimalloc::MiMalloc;
use rustix::thread::disable_transparent_huge_pages;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // The allocator asks for huge pages. A process that lives for a second, as the driver does, uses
    // a part of each and waits for the kernel to clear all. This holds for what it starts, too.
    let _ = disable_transparent_huge_pages(true);
    if let Some(code) = wrapper::run_if_called().or_else(sysroot::run_if_called) {
        return code;
    }
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(usage) => {
            // Help and version are asked for this way too.
            let _ = usage.print();
            return ExitCode::from(usage.exit_code() as u8);
        }
    };
    interrupt::install();
    let result = match &cli.command {
        Command::Check(check) => commands::check(check),
        Command::Update(update) => commands::update(update),
        Command::Show(show) => commands::show(show),
        Command::Replay(replay) => commands::replay(replay),
        Command::Setup => commands::setup(),
    };
    ExitCode::from(finish(result) as u8)
}

fn finish(result: Result<Exit, Error>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(error) => {
            let _ = anstream::stderr().write_all(errors::render(&error).as_bytes());
            error.exit()
        }
    }
}
