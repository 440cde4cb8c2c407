//! The process in which Z3 runs, so that a crash of Z3 ends a query and not the run.
//!
//! In: requests on the standard input, as `solver::query` has them. Out: replies on the standard
//! output. It ends with its input, also in the middle of a request. For people, it also answers scripts
//! that `cargo cse check --dump-queries` wrote.
//!
//! **Invariant.** Only this binary knows Z3; `cargo-cse` starts without it.

mod z3;

use std::{
    any::Any,
    fs, io,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::{Mutex, mpsc},
    thread,
    time::Duration,
};

use cargo_cse::reason::NoAnswer;
use cargo_cse::solver::query::{self, Reply, Request, SERVE};
use rustix::process::{Resource, Rlimit, Signal, getpid, kill_process, setrlimit};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version"] => {
            println!("Z3 {}", ::z3::full_version());
            ExitCode::SUCCESS
        }
        [SERVE, memory] if let Ok(memory) = memory.parse() => serve(memory),
        [ASK, seconds, ref files @ ..] if let Ok(seconds) = seconds.parse() => {
            ask(files, Duration::from_secs(seconds))
        }
        _ => {
            eprintln!("usage: cargo-cse-solver --version | {SERVE} BYTES | {ASK} SECONDS FILE...");
            ExitCode::from(2)
        }
    }
}

/// The argument with which files are answered, each within so many seconds.
const ASK: &str = "ask";

/// Z3 goes into terms by recursion in places. Only what is used of this is real memory.
const STACK: usize = 256 << 20;

/// What the process needs besides what Z3 counts: its code, and what the allocator holds back.
const OVERHEAD: u64 = 256 << 20;

fn serve(memory: u64) -> ExitCode {
    // Z3 stops by itself at the limit, and the system sees to it where Z3 does not count.
    ::z3::set_global_param("memory_max_size", &(memory >> 20).max(1).to_string());
    let most = Some(memory.saturating_add(STACK as u64).saturating_add(OVERHEAD));
    let _ = setrlimit(Resource::As, Rlimit { current: most, maximum: most });
    panic::set_hook(Box::new(|_| {}));

    let (requests, queue) = mpsc::channel();
    thread::spawn(move || answer_all(&Mutex::new(queue)));
    let mut input = io::stdin().lock();
    while let Ok(Some(request)) = query::read::<Request>(&mut input) {
        if requests.send(request).is_err() {
            break;
        }
    }
    // Nobody waits for an answer any more. An orderly exit would wait for Z3.
    let _ = kill_process(getpid(), Signal::KILL);
    ExitCode::FAILURE
}

/// Says of each file whether what it asserts can be true.
fn ask(files: &[&str], limit: Duration) -> ExitCode {
    let answer = |file: &str| {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        z3::answer_script(&text, limit).map_err(str::to_owned)
    };
    let answer_all = || {
        files.iter().fold(ExitCode::SUCCESS, |code, file| match answer(file) {
            Ok(answer) => {
                println!("{file}: {answer}");
                code
            }
            Err(reason) => {
                eprintln!("{file}: {reason}");
                ExitCode::FAILURE
            }
        })
    };
    thread::scope(|scope| {
        let answering = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, answer_all);
        let code = answering.ok().and_then(|answering| answering.join().ok());
        code.unwrap_or(ExitCode::FAILURE)
    })
}

/// A thread has a context of Z3, which takes longer to make than most questions take to answer. It
/// serves until it has seen so many terms that what they left behind could begin to matter.
const TERMS_A_CONTEXT: usize = 20_000;

/// Answers in one context after the other, until nothing more is asked.
fn answer_all(queue: &Mutex<mpsc::Receiver<Request>>) {
    loop {
        let more = thread::scope(|scope| {
            let answering = thread::Builder::new().stack_size(STACK);
            let answering = answering.spawn_scoped(scope, || answer_in_one_context(queue));
            answering.is_ok_and(|answering| answering.join().unwrap_or(true))
        });
        if !more {
            return;
        }
    }
}

/// Whether more may be asked.
fn answer_in_one_context(queue: &Mutex<mpsc::Receiver<Request>>) -> bool {
    let mut terms = 0;
    while terms < TERMS_A_CONTEXT {
        let Ok(request) = queue.lock().unwrap().recv() else { return false };
        terms += request.dag().nodes.len() + 1;
        let reply = panic::catch_unwind(AssertUnwindSafe(|| z3::answer(&request)));
        if reply.is_err() {
            terms = TERMS_A_CONTEXT;
        }
        let reply = reply.unwrap_or_else(|panic| Reply::Unknown(failure(&*panic)));
        if query::write(&mut io::stdout(), &reply).is_err() {
            return false;
        }
    }
    true
}

fn failure(panic: &(dyn Any + Send)) -> NoAnswer {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let message = text.unwrap_or("no message");
    NoAnswer::Failed { message: message.into(), out_of_memory: z3::speaks_of_memory(message) }
}
