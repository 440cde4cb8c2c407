//! What a run is doing, on stderr while it does it. On a terminal this is one line that is redrawn;
//! elsewhere, as in a log, it is one line for each stage when it is over, with how long it took.

use std::fmt::Display;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of one run, to be shared by reference between threads. It clears its line when it
/// is dropped.
pub struct Progress {
    bar: ProgressBar,
    mode: Mode,
    stage: Mutex<Option<Stage>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Drawn,
    Lines,
    Silent,
}

/// What is being done.
struct Stage {
    what: String,
    started: Instant,
    /// How much of it is done, as in `3 of 12 crates`; empty where that is not counted.
    done: String,
}

impl Stage {
    /// `building with hex 0.4.3, 3 of 12 crates`
    fn so_far(&self) -> String {
        let separator = if self.done.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.what, self.done)
    }
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        if quiet {
            return Progress::on(ProgressDrawTarget::hidden(), Mode::Silent);
        }
        let target = ProgressDrawTarget::stderr();
        let mode = if target.is_hidden() { Mode::Lines } else { Mode::Drawn };
        Progress::on(target, mode)
    }

    fn on(target: ProgressDrawTarget, mode: Mode) -> Progress {
        let bar = ProgressBar::with_draw_target(None, target);
        if mode == Mode::Drawn {
            bar.set_style(spinner());
            // Only a timer moves the spinner while cargo runs.
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Progress { bar, mode, stage: Mutex::default() }
    }

    /// A new stage begins.
    pub fn stage(&self, what: impl Display) {
        let what = what.to_string();
        self.bar.set_message(what.clone());
        self.replace(Some(Stage { what, started: Instant::now(), done: String::new() }));
    }

    /// So much of the stage is done, in words.
    pub fn done(&self, done: impl Display) {
        let Ok(mut stage) = self.stage.lock() else { return };
        if let Some(stage) = stage.as_mut() {
            stage.done = done.to_string();
            self.bar.set_message(stage.so_far());
        }
    }

    /// Ends the stage.
    fn replace(&self, next: Option<Stage>) {
        let Ok(mut stage) = self.stage.lock() else { return };
        let ended = std::mem::replace(&mut *stage, next);
        if let (Mode::Lines, Some(ended)) = (self.mode, ended) {
            let seconds = ended.started.elapsed().as_secs_f64();
            anstream::eprintln!("{} ({seconds:.1} s)", ended.so_far());
        }
    }

    /// Writes a message of its own lines to stderr, above the progress line. Messages are written
    /// in every mode: whether they are wanted is not progress's business.
    pub fn println(&self, message: impl Display) {
        self.suspend(|| anstream::eprintln!("{message}"));
    }

    /// Takes the progress line away while `write` uses the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// The progress line, for what writes beside it as long as the process lives.
    pub(super) fn line(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Clears the progress line for good.
    pub fn finish(&self) {
        self.replace(None);
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

fn spinner() -> ProgressStyle {
    style("{spinner} {wide_msg} {elapsed}")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the templates are constants that parse")
        .tick_chars("|/-\\ ")
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;
    use indicatif::TermLike;

    use super::*;

    fn drawn() -> (Progress, InMemoryTerm) {
        let terminal = InMemoryTerm::new(5, 60);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let progress = Progress::on(target, Mode::Drawn);
        progress.bar.disable_steady_tick();
        (progress, terminal)
    }

    #[test]
    fn a_stage_is_named_until_the_next_one() {
        let (progress, terminal) = drawn();
        progress.stage("checking hex 0.4.3");
        assert!(terminal.contents().contains("checking hex 0.4.3"));
        progress.stage("comparing");
        let line = terminal.contents();
        assert!(line.contains("comparing") && !line.contains("checking"), "{line}");
    }

    #[test]
    fn what_is_done_of_a_stage_stands_behind_it() {
        let (progress, terminal) = drawn();
        progress.stage("building with hex 0.4.3");
        progress.done("3 of 12 crates");
        assert!(terminal.contents().contains("building with hex 0.4.3, 3 of 12 crates"));
        progress.stage("comparing");
        assert!(!terminal.contents().contains("crates"));
    }

    #[test]
    fn nothing_is_left_on_the_terminal_when_the_run_ends() {
        let (progress, terminal) = drawn();
        progress.stage("checking hex 0.4.3");
        progress.suspend(|| terminal.write_line("a message").unwrap());
        drop(progress);
        assert_eq!(terminal.contents(), "a message");
    }

    #[test]
    fn a_quiet_run_draws_nothing() {
        let progress = Progress::new(true);
        assert_eq!(progress.mode, Mode::Silent);
        assert!(progress.bar.is_hidden());
    }
}
