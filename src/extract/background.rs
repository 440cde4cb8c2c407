//! Lets cargo go on while a driver still walks, so that the old side's program is made while cargo
//! builds the new side.
//!
//! A driver writes the crate's metadata first. Then it leaves the wrapper that started it, which ends
//! as if all were done, and walks on; only one of a side does so at a time, however many targets there
//! are. It stays in cargo's process group, which a signal ends.
//!
//! A driver has the lock of its unit for as long as it can write. Who wants the program and who
//! compiles the crate again wait for it, even where the run that started the driver is dead.

use std::env;
use std::fs::{File, TryLockError};
use std::io::{self, PipeReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

/// The environment variable that allows it, and says for which side.
pub const VARIABLE: &str = "CARGO_CSE_BACKGROUND";

/// Waits for the lock of a unit. None where files cannot be locked: then nothing may be left to the
/// background.
pub fn lock(directory: &Path, unit: &str) -> Option<File> {
    let file = open(directory, unit)?;
    file.lock().ok()?;
    Some(file)
}

/// Starts a driver, and waits until it has left or ended.
pub fn start(mut driver: Command) -> io::Result<ExitCode> {
    // Its standard input is what it says on that it has left: the other two are the compiler's.
    let (said, says) = io::pipe()?;
    let mut child = driver.stdin(says).spawn()?;
    drop(driver);
    if has_left(said) {
        return Ok(ExitCode::SUCCESS);
    }
    let status = child.wait()?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    Ok(ExitCode::from(code as u8))
}

fn has_left(mut said: PipeReader) -> bool {
    said.read_exact(&mut [0]).is_ok()
}

/// Leaves the wrapper, if that is allowed and no other driver of the side is in the background. The
/// file must be kept for as long as this one is there.
pub fn leave(directory: &Path) -> Option<File> {
    let side = env::var(VARIABLE).ok()?;
    let place = open(directory, &format!("background-{side}"))?;
    match place.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
    }
    // Cargo waits for the end of what the compiler says.
    let nowhere = File::options().read(true).write(true).open("/dev/null").ok()?;
    dup2_stdout(&nowhere).ok()?;
    dup2_stderr(&nowhere).ok()?;
    let _ = rustix::io::write(io::stdin(), &[0]);
    let _ = dup2_stdin(&nowhere);
    Some(place)
}

fn open(directory: &Path, name: &str) -> Option<File> {
    let path = directory.join(format!("{name}.lock"));
    File::options().create(true).truncate(false).write(true).open(path).ok()
}
