//! What a native run did, and whether two did the same.

use std::fmt;
use std::time::Duration;

use crate::model::{NoOutcome, NotRun};
use crate::version::Both;

/// What one call, or one run of a binary, did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeOutcome {
    pub end: End,
    pub stdout: Vec<u8>,
    /// Empty where the process ended: the message of a panic or an abort is no behaviour.
    pub stderr: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// What the generated program said: that the call returned or panicked, and with what.
    Told(String),
    /// The process ended with this code.
    Exited(i32),
    /// The process was ended by this signal.
    Signal(i32),
    /// Not within the time that it was given.
    TimedOut(Duration),
    /// Nothing that can be compared.
    Unknown(NoOutcome),
}

/// How two outcomes stand to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Same,
    Different,
    /// Time and memory are no behaviour: a run that used up its share of them tells nothing.
    Unknown(NotRun),
}

impl NativeOutcome {
    /// Whether it was given no more time.
    pub fn is_timed_out(&self) -> bool {
        matches!(self.end, End::TimedOut(_))
    }

    pub fn unknown(why: NoOutcome) -> NativeOutcome {
        NativeOutcome { end: End::Unknown(why), stdout: Vec::new(), stderr: Vec::new() }
    }

    /// `names` are those of the two versions.
    pub fn compare(&self, new: &NativeOutcome, names: &Both<String>) -> Comparison {
        for (outcome, name) in [self, new].into_iter().zip(names) {
            let why = match outcome.end {
                End::Unknown(why) => why,
                End::TimedOut(_) => NoOutcome::TimedOut,
                End::Told(_) | End::Exited(_) | End::Signal(_) => continue,
            };
            let (with, outcome) = (name.clone(), outcome.to_string());
            return Comparison::Unknown(NotRun::NoOutcome { with, outcome, why });
        }
        if self == new { Comparison::Same } else { Comparison::Different }
    }
}

impl fmt::Display for NativeOutcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.end {
            End::Told(text) => f.write_str(text)?,
            End::Exited(code) => write!(f, "ended the process with exit code {code}")?,
            End::Signal(6) => f.write_str("aborted the process")?,
            End::Signal(number) => write!(f, "ended the process with signal {number}")?,
            End::TimedOut(time) => write!(f, "did not end within {} s", time.as_secs_f64())?,
            End::Unknown(why) => f.write_str(match why {
                NoOutcome::TimedOut => "did not end in time",
                NoOutcome::OutOfMemory => "ran out of memory",
                NoOutcome::OutOfStack => "ran out of stack",
                NoOutcome::Interrupted => "was interrupted",
                NoOutcome::Killed => "was ended from outside",
                NoOutcome::NotReached => "was not run, because too many calls before did not end",
                NoOutcome::EndedProcess => "ended the process",
            })?,
        }
        for (bytes, verb) in [(&self.stdout, "printed"), (&self.stderr, "wrote to stderr")] {
            if !bytes.is_empty() {
                let text = String::from_utf8_lossy(bytes);
                let short: String = text.chars().take(200).collect();
                let more = if short.len() < text.len() { "…" } else { "" };
                write!(f, ", {verb} {short:?}{more}")?;
            }
        }
        Ok(())
    }
}
