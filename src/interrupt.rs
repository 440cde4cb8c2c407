//! Ctrl-C and SIGTERM: the children end too, and the run ends with nothing half-written. A time-out
//! ends the children of one upgrade the same way.

use std::{
    process::{self, Child},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::deadline::Deadline;
use crate::{error::Error, exit::Exit};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());
static DEADLINE: Mutex<Option<Deadline>> = Mutex::new(None);

/// How long the main thread has, after a signal, to end in its own way.
const GRACE: Duration = Duration::from_secs(2);

/// Catches the signals, once per process.
pub fn install() {
    // A second handler in one process is an error that changes nothing: the first one stays.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        end_groups();
        thread::sleep(GRACE);
        process::exit(Exit::Incomplete as i32);
    });
}

/// The error that ends the run, once a signal has come, or the upgrade, once its time is over. Long
/// loops ask this now and then.
pub fn check() -> Result<(), Error> {
    if INTERRUPTED.load(Ordering::SeqCst) {
        return Err(Error::Interrupted);
    }
    match *DEADLINE.lock().unwrap() {
        Some(deadline) if deadline.is_over() => Err(Error::TimedOut),
        _ => Ok(()),
    }
}

/// When the time of the present upgrade is over, if it has a limit.
pub fn deadline() -> Option<Deadline> {
    *DEADLINE.lock().unwrap()
}

/// A bound on the time of what happens while it lives.
pub struct Limit {
    /// Dropped with the limit, which ends the thread that watches it.
    _watched: mpsc::Sender<()>,
}

impl Limit {
    pub fn start(timeout: Duration) -> Limit {
        *DEADLINE.lock().unwrap() = Some(Deadline::after(timeout));
        let (watched, end) = mpsc::channel();
        thread::spawn(move || {
            if end.recv_timeout(timeout) == Err(mpsc::RecvTimeoutError::Timeout) {
                end_groups();
            }
        });
        Limit { _watched: watched }
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        *DEADLINE.lock().unwrap() = None;
    }
}

fn end_groups() {
    for group in GROUPS.lock().unwrap().iter() {
        let _ = kill_process_group(*group, Signal::TERM);
    }
}

/// A child that leads its own process group, which a signal ends as a whole.
pub struct Group {
    pid: Pid,
}

impl Group {
    /// The child must have been started with `process_group(0)`.
    pub fn of(child: &Child) -> Group {
        let pid = Pid::from_child(child);
        GROUPS.lock().unwrap().push(pid);
        // A signal that came between the start and this line found the list without this group.
        if check().is_err() {
            let _ = kill_process_group(pid, Signal::TERM);
        }
        Group { pid }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        GROUPS.lock().unwrap().retain(|pid| *pid != self.pid);
    }
}
