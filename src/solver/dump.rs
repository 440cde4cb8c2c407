//! Each question in a file of its own, as other solvers and people read it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::{
    Answer, HornAnswer, Node, Sort,
    query::{HornQuery, Query},
    smtlib::{self, Status},
};

/// A directory into which questions are written, with their answers. To be shared by threads.
///
/// A file is named after the number of its question and the answer: `000012-unsat.smt2`.
pub struct Dump {
    directory: PathBuf,
    /// The number of the last question.
    last: AtomicUsize,
    failure: OnceLock<String>,
}

/// How long a question took.
#[derive(Clone, Copy)]
pub struct Took {
    pub time: Duration,
    pub limit: Duration,
}

/// What every solver of this process writes to.
static OF_PROCESS: OnceLock<Arc<Dump>> = OnceLock::new();

/// Makes each [`Solver`](super::Solver) that is made in this process from now on write down what it is
/// asked. A second call changes nothing.
pub fn dump_queries(directory: &Path) -> io::Result<Arc<Dump>> {
    let dump = Arc::new(Dump::new(directory)?);
    Ok(OF_PROCESS.get_or_init(|| dump).clone())
}

/// What [`dump_queries`] was told, if it was called.
pub(super) fn of_process() -> Option<Arc<Dump>> {
    OF_PROCESS.get().cloned()
}

impl Dump {
    /// Creates the directory. Files of earlier runs stay there, and numbers go on after theirs.
    pub fn new(directory: &Path) -> io::Result<Dump> {
        fs::create_dir_all(directory)?;
        let mut last = 0;
        for file in fs::read_dir(directory)? {
            let name = file?.file_name();
            let number = name.to_str().and_then(|name| name.split_once('-')?.0.parse().ok());
            last = last.max(number.unwrap_or(0));
        }
        let (last, failure) = (AtomicUsize::new(last), OnceLock::new());
        Ok(Dump { directory: directory.to_owned(), last, failure })
    }

    /// Why questions are missing, if some are. After the first failure nothing more is written.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Writes a question and its answer, and gives the file's name.
    pub(super) fn check(&self, query: &Query, answer: &Answer, took: Took) -> Option<String> {
        let (status, words) = match answer {
            Answer::Unsat => (Status::Unsat, "unsat".to_owned()),
            Answer::Sat(_) => (Status::Sat, "sat".to_owned()),
            Answer::Unknown(reason) => (Status::Unknown, format!("unknown: {reason}")),
        };
        let mut comments = comments("can all that is asserted be true?", &words, took);
        if let Answer::Sat(assignment) = answer {
            for (node, sort) in query.dag.nodes.iter().zip(&query.dag.sorts) {
                let Node::Var(var) = node else { continue };
                let Some(value) = assignment.get(var) else { continue };
                let value = match sort {
                    Sort::Bool => (*value != 0).to_string(),
                    Sort::Bits(width) => smtlib::constant(*value, *width),
                    Sort::EffectState => format!("state {value}"),
                };
                comments.push(format!("  x{} = {value}", var.0));
            }
        }
        self.write(status.name(), || smtlib::check(query, status, &comments))
    }

    /// Writes a system of clauses and its answer, and gives the file's name.
    pub(super) fn horn(
        &self,
        query: &HornQuery,
        answer: &HornAnswer,
        took: Took,
    ) -> Option<String> {
        let (status, name, words) = match answer {
            HornAnswer::Safe => (Status::Sat, "safe", "safe".to_owned()),
            // A hint, and not the answer for the terms as they are.
            HornAnswer::Unsafe => (Status::Unknown, "unsafe", "unsafe over integers".to_owned()),
            HornAnswer::Unknown(reason) => {
                (Status::Unknown, "unknown", format!("unknown: {reason}"))
            }
        };
        let comments = comments("are there relations that make all clauses true?", &words, took);
        self.write(&format!("horn-{name}"), || smtlib::horn(query, status, &comments))
    }

    fn write(&self, name: &str, text: impl FnOnce() -> String) -> Option<String> {
        if self.failure.get().is_some() {
            return None;
        }
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("{number:06}-{name}.smt2");
        let path = self.directory.join(&name);
        match fs::write(&path, text()) {
            Ok(()) => Some(name),
            Err(error) => {
                let _ = self.failure.set(format!("cannot write {}: {error}", path.display()));
                None
            }
        }
    }
}

fn comments(question: &str, answer: &str, took: Took) -> Vec<String> {
    vec![
        format!("cargo cse {}: {question}", env!("CARGO_PKG_VERSION")),
        format!("answer: {answer}"),
        format!("time: {:.1?} of {:.1?}", took.time, took.limit),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Term, Terms};

    const TOOK: Took = Took { time: Duration::from_millis(2), limit: Duration::from_secs(1) };

    fn question() -> Query {
        let mut terms = Terms::new();
        let asserted: Term = terms.var(Sort::Bool);
        Query::of(&terms, &[asserted])
    }

    #[test]
    fn numbers_go_on_after_those_of_an_earlier_run() {
        let directory = tempfile::tempdir().unwrap();
        let inside = directory.path().join("a/b");
        let write = || {
            let dump = Dump::new(&inside).unwrap();
            [(); 2].map(|()| dump.check(&question(), &Answer::Unsat, TOOK).unwrap())
        };
        assert_eq!(write(), ["000001-unsat.smt2", "000002-unsat.smt2"]);
        assert_eq!(write(), ["000003-unsat.smt2", "000004-unsat.smt2"]);
    }

    #[test]
    fn the_first_failure_is_kept_and_ends_the_writing() {
        let directory = tempfile::tempdir().unwrap();
        let inside = directory.path().join("gone");
        let dump = Dump::new(&inside).unwrap();
        fs::remove_dir(&inside).unwrap();
        assert_eq!(dump.check(&question(), &Answer::Unsat, TOOK), None);
        assert!(dump.failure().unwrap().contains("000001-unsat.smt2"));
        fs::create_dir(&inside).unwrap();
        assert_eq!(dump.check(&question(), &Answer::Unsat, TOOK), None);
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 0);
    }
}
