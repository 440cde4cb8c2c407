//! Runs generated programs and the client's binaries, in processes of their own and within limits.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use tempfile::TempDir;

use super::outcome::{End, NativeOutcome};
use crate::interrupt::{self, Group};
use crate::model::NoOutcome;

/// What a native run may use.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// For one call.
    pub time: Duration,
    /// Bytes of address space.
    pub memory: u64,
    /// How often a process may end or hang before the rest of a series of calls is given up.
    pub ends: usize,
}

impl Default for ProcessLimits {
    fn default() -> ProcessLimits {
        ProcessLimits { time: Duration::from_secs(10), memory: 4 << 30, ends: 20 }
    }
}

/// What every program is called while it runs.
const PROGRAM: &str = "client";

/// The most that is kept of what a call prints.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// Runs calls one after the other in one process; in a new one where a call ends or hangs it. A
/// call is its number and its words.
pub fn calls(
    executable: &Path,
    calls: &[Vec<u128>],
    limits: &ProcessLimits,
) -> io::Result<Vec<NativeOutcome>> {
    let mut outcomes = Vec::new();
    let mut ends = 0;
    while outcomes.len() < calls.len() {
        let rest = &calls[outcomes.len()..];
        if ends == limits.ends {
            let unknown = NativeOutcome::unknown(NoOutcome::NotReached);
            outcomes.extend(rest.iter().map(|_| unknown.clone()));
            break;
        }
        let input: String = rest.iter().map(|call| numbers(call)).collect();
        let ran = run(executable, Some(("calls", &input)), limits)?;
        let finished = ran.lines.len().min(rest.len());
        outcomes.extend(ran.outcomes().take(finished));
        if finished < rest.len() {
            ends += 1;
            outcomes.push(ran.last());
        }
    }
    Ok(outcomes)
}

/// Runs a binary of the client without arguments and with nothing to read.
pub fn binary(executable: &Path, limits: &ProcessLimits) -> io::Result<NativeOutcome> {
    Ok(run(executable, None, limits)?.last())
}

/// What a run of `all` said.
pub struct Enumerated {
    pub lines: Vec<Line>,
    pub printed: Vec<u8>,
    /// What kept it from coming to the end.
    pub broken_off: Option<NativeOutcome>,
}

/// Runs all inputs that `input` describes; `runtime.rs` says how.
pub fn all(executable: &Path, input: &[u128], limits: &ProcessLimits) -> io::Result<Enumerated> {
    let ran = run(executable, Some(("all", &numbers(input))), limits)?;
    let broken_off = match ran.ended {
        Ended::Status(status) if status.success() => None,
        _ => Some(ran.last()),
    };
    Ok(Enumerated { lines: ran.lines, printed: ran.stdout, broken_off })
}

/// A line of a generated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub stdout: u64,
    pub stderr: u64,
}

fn numbers(numbers: &[u128]) -> String {
    let words: Vec<String> = numbers.iter().map(u128::to_string).collect();
    words.join(" ") + "\n"
}

struct Ran {
    lines: Vec<Line>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    ended: Ended,
    limits: ProcessLimits,
}

enum Ended {
    Status(ExitStatus),
    TimedOut,
    Interrupted,
}

impl Ran {
    /// Those of the calls that came to their end.
    fn outcomes(&self) -> impl Iterator<Item = NativeOutcome> + '_ {
        let before = [(0, 0)].into_iter().chain(self.lines.iter().map(|it| (it.stdout, it.stderr)));
        self.lines.iter().zip(before).map(|(line, (stdout, stderr))| NativeOutcome {
            end: End::Told(line.text.clone()),
            stdout: part(&self.stdout, stdout, line.stdout),
            stderr: part(&self.stderr, stderr, line.stderr),
        })
    }

    /// That of the call in which the process ended.
    fn last(&self) -> NativeOutcome {
        let said = String::from_utf8_lossy(&self.stderr);
        let end = match &self.ended {
            Ended::TimedOut => End::TimedOut(self.limits.time),
            Ended::Interrupted => End::Unknown(NoOutcome::Interrupted),
            Ended::Status(_) if said.contains("memory allocation of ") => {
                End::Unknown(NoOutcome::OutOfMemory)
            }
            Ended::Status(_) if said.contains("has overflowed its stack") => {
                End::Unknown(NoOutcome::OutOfStack)
            }
            Ended::Status(status) => match (status.code(), status.signal()) {
                (Some(code), _) => End::Exited(code),
                // Sent from outside, by what watches over memory, time and files.
                (_, Some(9 | 15 | 24 | 25)) => End::Unknown(NoOutcome::Killed),
                (_, signal) => End::Signal(signal.unwrap_or_default()),
            },
        };
        let from = self.lines.last().map_or(0, |line| line.stdout);
        NativeOutcome { end, stdout: part(&self.stdout, from, u64::MAX), stderr: Vec::new() }
    }
}

fn part(bytes: &[u8], from: u64, to: u64) -> Vec<u8> {
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
    bytes.get(at(from)..at(to)).unwrap_or_default().to_vec()
}

/// `input` is the mode of a generated program and what it reads.
fn run(executable: &Path, input: Option<(&str, &str)>, limits: &ProcessLimits) -> io::Result<Ran> {
    let directory = TempDir::with_prefix_in("run-", executable.parent().unwrap_or(executable))?;
    let path = |name: &str| directory.path().join(name);
    let work = path("work");
    fs::create_dir(&work)?;
    // Both sides have the same name, and no place of their own: a program can ask for both.
    fs::hard_link(executable, path(PROGRAM))?;
    let mut command = Command::new(path(PROGRAM));
    command.arg0(PROGRAM);
    if let Some((mode, text)) = input {
        fs::write(path("input"), text)?;
        command.arg(mode).arg(path("input")).arg(path("output"));
    }
    let file = |name: &str| File::options().create(true).append(true).open(path(name));
    command
        .current_dir(&work)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(file("stdout")?)
        .stderr(file("stderr")?);
    let mut child = spawn(command.process_group(0))?;
    let group = Group::of(&child);
    let pid = Pid::from_child(&child);
    let bound = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    // A process that has ended already needs no limits.
    let _ = prlimit(Some(pid), Resource::As, bound(limits.memory));
    let _ = prlimit(Some(pid), Resource::Core, bound(0));
    let _ = prlimit(Some(pid), Resource::Fsize, bound(1 << 30));
    let progress = || fs::metadata(path("output")).map_or(0, |it| it.len());
    let ended = wait(&mut child, limits, progress);
    // Also what the client has started and left behind.
    let _ = kill_process_group(pid, Signal::KILL);
    if !matches!(ended, Ok(Ended::Status(_))) {
        child.wait()?;
    }
    drop(group);
    let read = |name: &str, most: u64| {
        let mut bytes = Vec::new();
        File::open(path(name))?.take(most).read_to_end(&mut bytes)?;
        io::Result::Ok(bytes)
    };
    let lines = match input {
        Some(_) => read("output", u64::MAX).unwrap_or_default(),
        None => Vec::new(),
    };
    Ok(Ran {
        lines: String::from_utf8_lossy(&lines).lines().filter_map(line).collect(),
        stdout: read("stdout", LONGEST_OUTPUT)?,
        stderr: read("stderr", LONGEST_OUTPUT)?,
        ended: ended?,
        limits: *limits,
    })
}

/// Another thread that starts a process just now may still hold the file open for writing.
fn spawn(command: &mut Command) -> io::Result<Child> {
    let started = Instant::now();
    loop {
        match command.spawn() {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy
                    && started.elapsed() < Duration::from_secs(5) =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

fn line(text: &str) -> Option<Line> {
    let mut parts = text.rsplitn(3, '\t');
    let (stderr, stdout) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(Line { text: parts.next()?.to_owned(), stdout, stderr })
}

/// Waits while there is progress: the limit is for one call.
fn wait(
    child: &mut Child,
    limits: &ProcessLimits,
    progress: impl Fn() -> u64,
) -> io::Result<Ended> {
    let mut pause = Duration::from_micros(200);
    let (mut seen, mut since) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match interrupt::check() {
                Ok(()) => Ended::Status(status),
                Err(_) => Ended::Interrupted,
            });
        }
        if interrupt::check().is_err() {
            return Ok(Ended::Interrupted);
        }
        if since.elapsed() >= limits.time {
            let now = progress();
            if now == seen {
                return Ok(Ended::TimedOut);
            }
            (seen, since) = (now, Instant::now());
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
