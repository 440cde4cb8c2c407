//! Which question goes to which process, and what to believe of the answers.

use std::{
    num::NonZero,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use tracing::{field::Empty, trace, trace_span};

use super::{
    Assignment, BitsOp, Dump, HornAnswer, HornSystem, Node, OverflowOp, Sort, Term, Terms,
    dump::{self, Took},
    query::{Dag, Encoding, HornQuery, Query, Reply, Request},
    worker::{Worker, WorkerEvent, first_reply},
};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::interrupt;
use crate::reason::NoAnswer;

/// How long the encoding that fits a question better is alone with it: most questions are answered
/// by then, and a second process would have been started for nothing.
const HEAD_START: Duration = Duration::from_millis(100);

/// How much longer than its limit Z3 may take to notice it.
const GRACE: Duration = Duration::from_millis(200);

/// Can all of some terms be true?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Unsat,
    /// They are, with these values. Every variable of the terms has one. If an uninterpreted
    /// function is among them, there is such a function, which the assignment does not say.
    Sat(Assignment),
    Unknown(NoAnswer),
}

/// Processes that answer questions, kept for the next one. To be shared by threads.
pub struct Solver {
    program: PathBuf,
    memory_limit: u64,
    idle: Mutex<Vec<Worker>>,
    dump: Option<Arc<Dump>>,
}

impl Solver {
    /// `program` is `cargo-cse-solver`; each of its processes may use that much memory. What is asked
    /// is written down if [`dump_queries`](super::dump_queries) said so.
    pub fn new(program: PathBuf, memory_limit_bytes: u64) -> Solver {
        let (memory_limit, dump) = (memory_limit_bytes, dump::of_process());
        Solver { program, memory_limit, idle: Mutex::default(), dump }
    }

    /// The solver, which from now on writes down there what it is asked.
    pub fn dumping_to(self, dump: Arc<Dump>) -> Solver {
        Solver { dump: Some(dump), ..self }
    }

    /// Satisfiability of the conjunction; both encodings tried side by side, the first sure answer
    /// wins. A crash, a time-out or a lack of memory is [`Answer::Unknown`], and so is a model that
    /// does not make the terms true.
    pub fn check(&self, terms: &Terms, asserted: &[Term], limit: Duration) -> Answer {
        if asserted.iter().any(|term| terms.as_bool(*term) == Some(false)) {
            return Answer::Unsat;
        }
        if asserted.iter().all(|term| terms.as_bool(*term) == Some(true)) {
            return Answer::Sat(Assignment::new());
        }
        let query = Query::of(terms, asserted);
        let size = query.dag.nodes.len();
        let span = trace_span!("query", terms = size, answer = Empty, file = Empty).entered();
        let started = Instant::now();
        let answer = self.race(terms, asserted, &query, limit);
        if !span.is_disabled() {
            match &answer {
                Answer::Unsat => span.record("answer", "unsat"),
                Answer::Sat(_) => span.record("answer", "sat"),
                Answer::Unknown(reason) => span.record("answer", format!("unknown: {reason}")),
            };
        }
        if let Some(dump) = &self.dump {
            let took = Took { time: started.elapsed(), limit };
            span.record("file", dump.check(&query, &answer, took));
        }
        answer
    }

    fn race(&self, terms: &Terms, asserted: &[Term], query: &Query, limit: Duration) -> Answer {
        let mut encodings = plan(&query.dag).into_iter();
        let deadline = Deadline::after(limit);
        let mut race = Race::new(self);
        loop {
            let next = encodings.next();
            let until = match next {
                Some(encoding) => {
                    let limit = deadline.left();
                    race.enter(Request::Check { encoding, query: query.clone(), limit });
                    deadline.within(HEAD_START)
                }
                None => deadline.extended_by(GRACE),
            };
            if let Some(answer) = race.run(until, |reply| believe(terms, asserted, reply)) {
                return answer;
            }
            if next.is_none() {
                return Answer::Unknown(race.no_answer());
            }
        }
    }

    /// Are the clauses safe? An unsafe system need not be: see [`HornAnswer`].
    pub fn horn(&self, terms: &Terms, system: &HornSystem, limit: Duration) -> HornAnswer {
        let query = HornQuery::of(terms, system);
        let (size, clauses) = (query.dag.nodes.len(), query.clauses.len());
        let span =
            trace_span!("query", terms = size, clauses, answer = Empty, file = Empty).entered();
        let started = Instant::now();
        let kept = self.dump.as_ref().map(|dump| (dump, query.clone()));
        let answer = self.race_for_clauses(query, limit);
        if !span.is_disabled() {
            match &answer {
                HornAnswer::Safe => span.record("answer", "safe"),
                HornAnswer::Unsafe => span.record("answer", "unsafe"),
                HornAnswer::Unknown(reason) => span.record("answer", format!("unknown: {reason}")),
            };
        }
        if let Some((dump, query)) = kept {
            let took = Took { time: started.elapsed(), limit };
            span.record("file", dump.horn(&query, &answer, took));
        }
        answer
    }

    fn race_for_clauses(&self, query: HornQuery, limit: Duration) -> HornAnswer {
        let deadline = Deadline::after(limit);
        let mut race = Race::new(self);
        race.enter(Request::Horn { query, limit });
        let answer = race.run(deadline.extended_by(GRACE), |reply| match reply {
            Reply::Unsat => Ok(HornAnswer::Safe),
            Reply::Sat(_) => Ok(HornAnswer::Unsafe),
            Reply::Unknown(why) => Err(why),
        });
        answer.unwrap_or_else(|| HornAnswer::Unknown(race.no_answer()))
    }

    /// One that is idle, if there is any.
    fn worker(&self) -> Result<(Worker, IsFresh), NoAnswer> {
        check_interrupt()?;
        loop {
            let Some(mut worker) = self.idle.lock().unwrap().pop() else { break };
            if worker.is_alive() {
                return Ok((worker, false));
            }
        }
        Ok((self.fresh_worker()?, true))
    }

    fn fresh_worker(&self) -> Result<Worker, NoAnswer> {
        check_interrupt()?;
        trace!("starts a process");
        Worker::start(&self.program, self.memory_limit)
            .map_err(|error| NoAnswer::NotStarted(error.to_string().into()))
    }

    fn keep(&self, worker: Worker) {
        let mut idle = self.idle.lock().unwrap();
        if idle.len() < 2 * thread::available_parallelism().map_or(1, NonZero::get) {
            idle.push(worker);
        }
    }
}

/// Was the process started for this question?
type IsFresh = bool;

/// Processes that try to answer the same question. Those without an answer end with it.
struct Race<'s> {
    solver: &'s Solver,
    workers: Vec<Option<Worker>>,
    /// What a worker that was idle was asked. It may have been about to end for a reason that is
    /// none of this question's.
    again: Vec<Option<Request>>,
    /// Why there is no answer so far.
    reasons: Vec<NoAnswer>,
}

impl<'s> Race<'s> {
    fn new(solver: &'s Solver) -> Race<'s> {
        Race { solver, workers: Vec::new(), again: Vec::new(), reasons: Vec::new() }
    }

    fn enter(&mut self, request: Request) {
        match self.solver.worker() {
            Ok((mut worker, is_fresh)) => {
                worker.send(&request);
                self.workers.push(Some(worker));
                self.again.push((!is_fresh).then_some(request));
            }
            Err(reason) => self.reasons.push(reason),
        }
    }

    /// The first answer that `believe` takes, until then or until nobody is left to give one.
    fn run<A>(
        &mut self,
        until: Deadline,
        believe: impl Fn(Reply) -> Result<A, NoAnswer>,
    ) -> Option<A> {
        while self.workers.iter().any(Option::is_some) {
            let WorkerEvent::Reply(index, reply) = first_reply(&mut self.workers, until) else {
                return None;
            };
            let worker = self.workers[index].take();
            if reply.is_err()
                && let Some(request) = self.again[index].take()
                && let Ok(mut worker) = self.solver.fresh_worker()
            {
                worker.send(&request);
                self.workers[index] = Some(worker);
                continue;
            }
            let is_only_unknown = reply.as_ref().is_ok_and(Reply::is_only_unknown);
            let answer = reply.and_then(&believe);
            if let Some(worker) = worker
                && (answer.is_ok() || is_only_unknown)
            {
                self.solver.keep(worker);
            }
            match answer {
                Ok(answer) => return Some(answer),
                Err(reason) => self.reasons.push(reason),
            }
        }
        None
    }

    fn no_answer(mut self) -> NoAnswer {
        if self.workers.iter().any(Option::is_some) {
            self.reasons.push(NoAnswer::TimedOut);
        }
        self.reasons.sort();
        self.reasons.dedup();
        match &self.reasons[..] {
            [only] => only.clone(),
            all => NoAnswer::Several(all.into()),
        }
    }
}

/// Fails once nobody waits for an answer any more.
fn check_interrupt() -> Result<(), NoAnswer> {
    interrupt::check().map_err(|error| match error {
        Error::TimedOut => NoAnswer::UpgradeTimedOut,
        _ => NoAnswer::Interrupted,
    })
}

/// A model counts only if the terms are true under it. What has no value here, because it rests on
/// an uninterpreted function or on floats that cannot be computed with, is left to Z3.
fn believe(terms: &Terms, asserted: &[Term], reply: Reply) -> Result<Answer, NoAnswer> {
    match reply {
        Reply::Unsat => Ok(Answer::Unsat),
        Reply::Unknown(why) => Err(why),
        Reply::Sat(model) => {
            let assignment: Assignment = model.into_iter().collect();
            let values = terms.eval_all(asserted, &assignment);
            let is_complete =
                terms.variables(asserted).iter().all(|var| assignment.contains_key(var));
            if !is_complete || values.contains(&Some(0)) {
                return Err(NoAnswer::FalseModel);
            }
            Ok(Answer::Sat(assignment))
        }
    }
}

/// Which encodings to try, the better one first.
///
/// Integers win where numbers are multiplied, divided and compared, and bit-vectors where bits are
/// mixed; where neither is the case, bit-vectors decide at once.
fn plan(dag: &Dag) -> Vec<Encoding> {
    if !dag.terms().all(|term| dag.in_integers(term)) {
        return vec![Encoding::Bits];
    }
    let (mut is_multiplied, mut is_compared, mut is_sliced) = (false, false, false);
    for term in dag.terms() {
        match *dag.node(term) {
            Node::Binary(
                BitsOp::Mul | BitsOp::UDiv | BitsOp::SDiv | BitsOp::URem | BitsOp::SRem,
                ..,
            )
            | Node::Overflows { op: OverflowOp::Mul, .. } => {
                // What is this small, bit-vectors enumerate.
                is_multiplied |= matches!(dag.sort(term), Sort::Bool | Sort::Bits(9..));
            }
            Node::Compare(..) | Node::Overflows { .. } => is_compared = true,
            Node::Binary(..) | Node::Concat { .. } => is_sliced = true,
            _ => {}
        }
    }
    match (is_multiplied, is_compared, is_sliced) {
        (true, _, _) => vec![Encoding::Integers, Encoding::Bits],
        (false, true, _) | (false, _, true) => vec![Encoding::Bits, Encoding::Integers],
        (false, false, false) => vec![Encoding::Bits],
    }
}
