//! Questions to the solver's process, put in each encoding.

use std::io::Write;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use cargo_cse::solver::query::{self, Encoding, Query, Reply, Request, SERVE};
use cargo_cse::solver::{Term, Terms};

const MEMORY: u64 = 1 << 30;
const LIMIT: Duration = Duration::from_secs(5);
/// Questions of more terms are not put.
const TERMS: usize = 4000;

/// A process that is asked directly, so that it is known which encoding answered.
pub struct Asked {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

pub enum Found {
    Nothing,
    Model,
    NoAnswer,
}

impl Asked {
    pub fn start() -> Asked {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cargo-cse-solver"))
            .args([SERVE, &MEMORY.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Asked { child, input, output }
    }

    /// Whether all that is asserted can be true, in each encoding that can say it.
    pub fn all(&mut self, terms: &Terms, asserted: &[Term]) -> Vec<(&'static str, Found)> {
        let query = Query::of(terms, asserted);
        if query.dag.nodes.len() > TERMS {
            return vec![("in bits", Found::NoAnswer)];
        }
        let in_integers = query.dag.terms().all(|term| query.dag.in_integers(term));
        let mut found = vec![("in bits", self.ask(Encoding::Bits, query.clone()))];
        if in_integers {
            found.push(("in integers", self.ask(Encoding::Integers, query)));
        }
        found
    }

    fn ask(&mut self, encoding: Encoding, query: Query) -> Found {
        let request = query::frame(&Request::Check { encoding, query, limit: LIMIT });
        let reply = match self.input.write_all(&request) {
            Ok(()) => query::read(&mut self.output).ok().flatten(),
            Err(_) => None,
        };
        match reply {
            Some(Reply::Unsat) => Found::Nothing,
            Some(Reply::Sat(_)) => Found::Model,
            Some(Reply::Unknown(_)) => Found::NoAnswer,
            None => {
                *self = Asked::start();
                Found::NoAnswer
            }
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
