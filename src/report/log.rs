//! What a run does, step by step, on stderr: which pairs it tries to decide, by which engines, how
//! long each takes, and why something stays unknown. Off unless it is asked for.
//!
//! The stages only open spans and tell events (`tracing`); here is where these become text. A span is
//! written when it ends, after those inside it, with its time:
//!
//! - `upgrade`, `target`, `entry` and `build` from the level `info` on,
//! - `boundary` (a part of the program that may swallow the change), `pair`, `engine` and
//!   `native_build` from `debug` on,
//! - `query` and `native_run` from `trace` on.

use std::env;
use std::io::{self, Write};

use indicatif::ProgressBar;
use tracing::subscriber::set_global_default;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;

use super::progress::Progress;
use crate::error::Error;

/// What is logged, in the words of [`EnvFilter`], such as `debug` or `cargo_cse::solver=trace`.
pub const VARIABLE: &str = "CARGO_CSE_LOG";

/// What `-vv` stands for, unless the variable says otherwise.
const VERY_VERBOSE: &str = "debug";

/// Logs from now on, if the environment or `-vv` asks for it.
pub fn start(verbose: u8, progress: &Progress) -> Result<(), Error> {
    let filter = match env::var(VARIABLE) {
        Ok(filter) if !filter.is_empty() => filter,
        _ if verbose > 1 => VERY_VERBOSE.to_owned(),
        _ => return Ok(()),
    };
    let filter = EnvFilter::try_new(&filter)
        .map_err(|error| Error::LogFilter { filter, detail: error.to_string() })?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_span_events(FmtSpan::CLOSE)
        .with_timer(uptime())
        .with_target(false)
        .with_ansi(false)
        .with_writer(AboveTheLine(progress.line()))
        .finish();
    // Another one that was there first stays.
    let _ = set_global_default(subscriber);
    Ok(())
}

/// Stderr, above the line that shows the progress.
struct AboveTheLine(ProgressBar);

impl<'a> MakeWriter<'a> for AboveTheLine {
    type Writer = &'a AboveTheLine;

    fn make_writer(&'a self) -> &'a AboveTheLine {
        self
    }
}

impl Write for &AboveTheLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
