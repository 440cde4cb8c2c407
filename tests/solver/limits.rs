//! However a process ends, the answer is unknown, and the next question gets one.

use std::{
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt, fs::symlink},
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use cargo_cse::reason::NoAnswer;
use cargo_cse::solver::{Answer, BitsOp::*, CompareOp, Solver, Term, Terms};

use super::{GIGABYTE, LIMIT, program, solver, var};

/// Two factors of a number that has no small ones.
fn factors(t: &mut Terms, width: u32, product: u128) -> Vec<Term> {
    let one = t.bits(1, width);
    let [a, b] = [(); 2].map(|()| var(t, width / 2));
    let [a, b] = [a, b].map(|factor| t.zero_extend(factor, width));
    let found = t.binary(Mul, a, b);
    let product = t.bits(product, width);
    let is_product = t.eq(found, product);
    let [a, b] = [a, b].map(|factor| t.compare(CompareOp::Ult, one, factor));
    vec![is_product, a, b]
}

/// The product of two primes of 61 and 63 bits.
const HARD: u128 = ((1 << 61) - 1) * ((1 << 63) - 25);

/// A question that only one encoding can be asked, and so one process.
fn answers(solver: &Solver) {
    let mut t = Terms::new();
    let (x, y) = (var(&mut t, 32), var(&mut t, 32));
    let mixed = t.binary(Or, x, y);
    let differs = t.binary(Xor, mixed, x);
    let bound = t.bits(1000, 32);
    let is_large = t.compare(CompareOp::Ult, bound, differs);
    let answer = solver.check(&t, &[is_large], LIMIT);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

#[test]
fn a_hard_question_ends_with_its_time() {
    let solver = solver();
    let mut t = Terms::new();
    let asserted = factors(&mut t, 128, HARD);
    let started = Instant::now();
    let answer = solver.check(&t, &asserted, Duration::from_secs(1));
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    answers(&solver);
}

#[test]
fn a_process_without_memory_ends_a_question_and_no_more() {
    let solver = Solver::new(program(), 64 << 20);
    let mut t = Terms::new();
    let (x, y) = (var(&mut t, 128), var(&mut t, 128));
    // Multipliers of 16384 bits each, all of which have to be built.
    let product = (0..100).fold(x, |product, _| {
        let mixed = t.binary(Xor, product, y);
        t.binary(Mul, mixed, product)
    });
    let constant = t.bits(HARD, 128);
    let asserted = [t.eq(product, constant)];
    let answer = solver.check(&t, &asserted, LIMIT);
    let Answer::Unknown(why) = answer else { panic!("{answer:?}") };
    let lacks_memory = |it: &NoAnswer| it.lacks_memory() && *it != NoAnswer::GaveUp;
    assert!(any(&why, &lacks_memory), "{why:?}");
    answers(&solver);
}

/// Whether one of the processes that were asked ended so.
fn any(why: &NoAnswer, is: &dyn Fn(&NoAnswer) -> bool) -> bool {
    match why {
        NoAnswer::Several(all) => all.iter().any(is),
        only => is(only),
    }
}

/// A program in a directory of its own, by whose name its processes can be told from those of other
/// tests.
fn linked() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("solver");
    symlink(program(), &path).unwrap();
    (directory, path)
}

/// The processes that were started under that name.
fn processes(path: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
        if command.split(|byte| *byte == 0).next() == Some(path.as_os_str().as_bytes()) {
            found.push(process.file_name().into_string().unwrap());
        }
    }
    found
}

#[test]
fn a_killed_process_is_replaced() {
    let (_directory, path) = linked();
    let solver = Solver::new(path.clone(), GIGABYTE);
    let mut t = Terms::new();
    let asserted = factors(&mut t, 128, HARD);
    let answer = thread::scope(|scope| {
        let asking = scope.spawn(|| solver.check(&t, &asserted, LIMIT));
        // Both encodings are tried: each process is ended as it comes.
        while !asking.is_finished() {
            for process in processes(&path) {
                Command::new("kill").args(["-9", &process]).status().unwrap();
            }
            thread::yield_now();
        }
        asking.join().unwrap()
    });
    let Answer::Unknown(why) = answer else { panic!("{answer:?}") };
    assert!(any(&why, &|it| matches!(it, NoAnswer::Killed { .. })), "{why:?}");
    answers(&solver);
}

#[test]
fn an_idle_process_that_was_killed_is_replaced() {
    let (_directory, path) = linked();
    let solver = Solver::new(path.clone(), GIGABYTE);
    answers(&solver);
    let idle = processes(&path);
    assert_eq!(idle.len(), 1);
    Command::new("kill").args(["-9", &idle[0]]).status().unwrap();
    while !processes(&path).is_empty() {
        thread::yield_now();
    }
    answers(&solver);
}

#[test]
fn one_process_answers_many_small_questions() {
    let (_directory, path) = linked();
    let solver = Solver::new(path.clone(), GIGABYTE);
    answers(&solver);
    let first = processes(&path);
    (0..100).for_each(|_| answers(&solver));
    assert_eq!(processes(&path), first);
}

#[test]
fn processes_end_with_the_solver() {
    let (_directory, path) = linked();
    let solver = Solver::new(path.clone(), GIGABYTE);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| answers(&solver));
        }
    });
    assert!(!processes(&path).is_empty());
    drop(solver);
    assert_eq!(processes(&path), [""; 0]);
}

/// A program that does something else instead.
fn script(text: &str) -> (tempfile::TempDir, Solver) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("solver");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let solver = Solver::new(path, GIGABYTE);
    (directory, solver)
}

fn unknown(solver: &Solver, limit: Duration) -> NoAnswer {
    let mut t = Terms::new();
    let (x, y) = (var(&mut t, 32), var(&mut t, 32));
    let less = t.compare(CompareOp::Ult, x, y);
    match solver.check(&t, &[less], limit) {
        Answer::Unknown(why) => why,
        answer => panic!("{answer:?}"),
    }
}

#[test]
fn a_process_that_does_not_reply_is_ended() {
    let (_directory, solver) = script("exec sleep 1000");
    let started = Instant::now();
    assert_eq!(unknown(&solver, Duration::from_millis(300)), NoAnswer::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_process_that_crashes_or_talks_nonsense_is_unknown() {
    for (text, why) in [
        ("exit 3", NoAnswer::Exited { code: 3 }),
        ("kill -SEGV $$", NoAnswer::Killed { signal: 11 }),
        ("exit 101", NoAnswer::OutOfMemory),
        (
            "printf '\\004\\000\\000\\000\\377\\377\\377\\377'; sleep 1000",
            NoAnswer::Killed { signal: 9 },
        ),
    ] {
        let (_directory, solver) = script(text);
        assert_eq!(unknown(&solver, LIMIT), why);
    }
}

/// Says that x = 0 and y = 0, whatever the question.
#[test]
fn a_model_that_is_none_is_not_believed() {
    let (_directory, solver) =
        script("printf '\\006\\000\\000\\000\\001\\002\\000\\000\\001\\000'; sleep 1000");
    let why = unknown(&solver, LIMIT);
    assert!(any(&why, &|it| *it == NoAnswer::FalseModel), "{why:?}");
}
