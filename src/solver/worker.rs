//! A process in which Z3 runs: started, talked to without ever waiting for it longer than one wants,
//! and ended.

use std::{
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::ioctl_fionbio,
};

use super::query::{self, Reply, Request, SERVE};
use crate::deadline::Deadline;
use crate::interrupt::Group;
use crate::reason::NoAnswer;

/// Z3's exit code when it finds no way on without more memory.
const OUT_OF_MEMORY: i32 = 101;

/// One process that serves one request at a time. It ends when it is dropped.
pub struct Worker {
    child: Child,
    group: Option<Group>,
    requests: ChildStdin,
    replies: ChildStdout,
    /// What of the request is not yet written.
    unsent: Vec<u8>,
    /// What of the reply has been read.
    received: Vec<u8>,
}

impl Worker {
    pub fn start(program: &Path, memory_limit: u64) -> io::Result<Worker> {
        let mut child = Command::new(program)
            .arg(SERVE)
            .arg(memory_limit.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let group = Some(Group::of(&child));
        let requests = child.stdin.take().expect("is piped");
        let replies = child.stdout.take().expect("is piped");
        let worker =
            Worker { child, group, requests, replies, unsent: Vec::new(), received: Vec::new() };
        ioctl_fionbio(&worker.requests, true)?;
        ioctl_fionbio(&worker.replies, true)?;
        Ok(worker)
    }

    /// Is the process still there? One that was idle may have been ended with all others.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Begins a request; [`first_reply`] carries it on.
    pub fn send(&mut self, request: &Request) {
        self.unsent = query::frame(request);
        self.received.clear();
    }

    /// Writes and reads what is possible at once. The reply, once it is complete; an error if the
    /// process has ended.
    fn advance(&mut self) -> io::Result<Option<Reply>> {
        while !self.unsent.is_empty() {
            match self.requests.write(&self.unsent) {
                Ok(written) => drop(self.unsent.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let mut buffer = [0; 4096];
        loop {
            match self.replies.read(&mut buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.received.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let Some((prefix, body)) = self.received.split_first_chunk() else { return Ok(None) };
        if body.len() < query::length(*prefix) {
            return Ok(None);
        }
        query::message(body).map(Some)
    }

    fn events(&self) -> impl Iterator<Item = (BorrowedFd<'_>, PollFlags)> {
        let writes = (!self.unsent.is_empty()).then(|| (self.requests.as_fd(), PollFlags::OUT));
        writes.into_iter().chain([(self.replies.as_fd(), PollFlags::IN)])
    }

    /// Why there will be no reply.
    fn last_words(&mut self) -> NoAnswer {
        let ended = |status: ExitStatus| match (status.code(), status.signal()) {
            (Some(OUT_OF_MEMORY), _) => NoAnswer::OutOfMemory,
            (_, Some(signal)) => NoAnswer::Killed { signal },
            (code, None) => NoAnswer::Exited { code: code.unwrap_or(-1) },
        };
        self.group = None;
        let _ = self.child.kill();
        let lost = |error: io::Error| NoAnswer::Lost(error.to_string().into());
        self.child.wait().map_or_else(lost, ended)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Before the process is waited for, after which its number can be another's.
        self.group = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came of waiting.
pub enum WorkerEvent {
    /// Which worker replied, or ended without a reply.
    Reply(usize, Result<Reply, NoAnswer>),
    TimedOut,
}

/// Waits for the first of the workers to reply, until the deadline.
pub fn first_reply(workers: &mut [Option<Worker>], deadline: Deadline) -> WorkerEvent {
    loop {
        for (index, slot) in workers.iter_mut().enumerate() {
            let Some(worker) = slot else { continue };
            match worker.advance() {
                Ok(None) => {}
                Ok(Some(reply)) => return WorkerEvent::Reply(index, Ok(reply)),
                Err(_) => {
                    let reason = worker.last_words();
                    *slot = None;
                    return WorkerEvent::Reply(index, Err(reason));
                }
            }
        }
        let left = deadline.left();
        if left.is_zero() {
            return WorkerEvent::TimedOut;
        }
        wait(workers, left);
    }
}

/// Until something can be written or read, or the time is over.
fn wait(workers: &[Option<Worker>], at_most: Duration) {
    let mut events: Vec<PollFd> = (workers.iter().flatten())
        .flat_map(Worker::events)
        .map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags))
        .collect();
    let timeout = at_most.try_into().ok();
    // A failure here is one of the caller's next attempts to read.
    let _ = poll(&mut events, timeout.as_ref());
}
