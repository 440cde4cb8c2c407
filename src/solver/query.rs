//! What passes between the library and the process in which Z3 runs: frames of a length and as many
//! bytes, one request and one reply at a time.

use std::{
    collections::{BTreeSet, HashMap},
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{BitsOp, HornSystem, Node, Sort, Term, Terms, Var};
use crate::reason::NoAnswer;

/// The argument with which the process serves; the limit of its memory follows it.
pub const SERVE: &str = "serve";

/// How a question is put to Z3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Encoding {
    /// Bit-vectors and floating-point numbers: says every term.
    Bits,
    /// Integers that wrap explicitly: see [`Dag::in_integers`].
    Integers,
}

/// What Z3 is asked.
#[derive(Serialize, Deserialize)]
pub enum Request {
    Check { encoding: Encoding, query: Query, limit: Duration },
    Horn { query: HornQuery, limit: Duration },
}

impl Request {
    pub fn dag(&self) -> &Dag {
        match self {
            Request::Check { query, .. } => &query.dag,
            Request::Horn { query, .. } => &query.dag,
        }
    }
}

/// What Z3 said.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// For Horn clauses: safe.
    Unsat,
    /// With a value for every variable of the query; for Horn clauses without: unsafe.
    Sat(Vec<(Var, u128)>),
    Unknown(NoAnswer),
}

impl Reply {
    /// Has Z3 only not found an answer? After a lack of memory it finds none any more.
    pub fn is_only_unknown(&self) -> bool {
        matches!(self, Reply::Unknown(why) if !why.lacks_memory())
    }
}

/// Terms without their arena: only those that are needed, numbered from zero, operands first.
#[derive(Clone, Serialize, Deserialize)]
pub struct Dag {
    pub nodes: Vec<Node>,
    pub sorts: Vec<Sort>,
}

/// Can all of `asserted` be true?
#[derive(Clone, Serialize, Deserialize)]
pub struct Query {
    pub dag: Dag,
    pub asserted: Vec<Term>,
}

/// A [`HornSystem`] with its terms.
#[derive(Clone, Serialize, Deserialize)]
pub struct HornQuery {
    pub dag: Dag,
    pub predicates: Vec<Vec<Sort>>,
    pub clauses: Vec<HornClause>,
    pub exact: Vec<(Term, bool)>,
}

/// A predicate's number and its arguments.
pub type Application = (u32, Vec<Term>);

/// A [`Clause`](super::Clause) of a [`HornQuery`].
#[derive(Clone, Serialize, Deserialize)]
pub struct HornClause {
    pub body: Vec<Application>,
    pub constraint: Term,
    pub head: Option<Application>,
}

impl Dag {
    /// What the roots reach, and each reached term's number in it.
    fn of(terms: &Terms, roots: &[Term]) -> (Dag, HashMap<Term, Term>) {
        let mut numbers = HashMap::new();
        let mut dag = Dag { nodes: Vec::new(), sorts: Vec::new() };
        for term in terms.reachable(roots) {
            numbers.insert(term, Term(dag.nodes.len() as u32));
            dag.nodes.push(terms.node(term).with_operands(|operand| numbers[&operand]));
            dag.sorts.push(terms.sort(term));
        }
        (dag, numbers)
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The number of bits of a term that has bits.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("bits expected, not {sort:?}"),
        }
    }

    pub fn as_bits(&self, term: Term) -> Option<u128> {
        match *self.node(term) {
            Node::Bits { value, .. } => Some(value),
            _ => None,
        }
    }

    /// All terms, operands first.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// What the roots reach.
    pub fn reached_by(&self, roots: impl IntoIterator<Item = Term>) -> BTreeSet<Term> {
        let mut reached: BTreeSet<Term> = BTreeSet::new();
        let mut pending: Vec<Term> = roots.into_iter().collect();
        while let Some(term) = pending.pop() {
            if reached.insert(term) {
                self.node(term).for_each_operand(|operand| pending.push(operand));
            }
        }
        reached
    }

    /// Can arithmetic of integers say what this term's operator does? Bits that are mixed, counted
    /// or moved by an unknown number of places, and floats, it cannot.
    pub fn in_integers(&self, term: Term) -> bool {
        match *self.node(term) {
            Node::Binary(BitsOp::And | BitsOp::Or | BitsOp::Xor, left, right) => {
                let mask = self.as_bits(right).or(self.as_bits(left));
                self.width(term) == 1 || mask.is_some_and(|mask| runs(mask).len() <= RUNS)
            }
            Node::Binary(BitsOp::Shl | BitsOp::LShr | BitsOp::AShr, _, by) => {
                self.as_bits(by).is_some()
            }
            Node::Count(..) | Node::Reverse(_) => false,
            ref node => !node.is_about_floats(),
        }
    }
}

/// A mask of more runs of ones is too long a sum.
const RUNS: usize = 8;

/// Each run of ones in a mask: its lowest bit and how many they are.
pub fn runs(mask: u128) -> Vec<(u32, u32)> {
    let mut runs = Vec::new();
    let mut from = 0;
    while from < 128 && mask >> from != 0 {
        let low = from + (mask >> from).trailing_zeros();
        let ones = (mask >> low).trailing_ones();
        runs.push((low, ones));
        from = low + ones;
    }
    runs
}

impl Query {
    pub fn of(terms: &Terms, asserted: &[Term]) -> Query {
        let (dag, numbers) = Dag::of(terms, asserted);
        Query { dag, asserted: asserted.iter().map(|term| numbers[term]).collect() }
    }
}

impl HornQuery {
    pub fn of(terms: &Terms, system: &HornSystem) -> HornQuery {
        let mut roots = Vec::new();
        for clause in &system.clauses {
            roots.push(clause.constraint);
            for (_, arguments) in clause.body.iter().chain(&clause.head) {
                roots.extend_from_slice(arguments);
            }
        }
        let (dag, numbers) = Dag::of(terms, &roots);
        let application = |(predicate, arguments): &(super::Predicate, Vec<Term>)| {
            (predicate.0, arguments.iter().map(|term| numbers[term]).collect())
        };
        let clauses = (system.clauses.iter())
            .map(|clause| HornClause {
                body: clause.body.iter().map(application).collect(),
                constraint: numbers[&clause.constraint],
                head: clause.head.as_ref().map(application),
            })
            .collect();
        let exact = (system.exact.iter())
            .filter_map(|(term, signed)| Some((*numbers.get(term)?, *signed)))
            .collect();
        HornQuery { dag, predicates: system.predicates.clone(), clauses, exact }
    }
}

/// A message with its length before it.
pub fn frame(message: &impl Serialize) -> Vec<u8> {
    let body = postcard::to_stdvec(message).expect("these types can be serialized");
    let length = u32::try_from(body.len()).expect("a query is smaller than 4 GiB");
    [&length.to_le_bytes()[..], &body].concat()
}

/// How many bytes of a frame follow its length.
pub fn length(prefix: [u8; 4]) -> usize {
    u32::from_le_bytes(prefix) as usize
}

/// The message of a frame's bytes after the length.
pub fn message<T: DeserializeOwned>(body: &[u8]) -> io::Result<T> {
    postcard::from_bytes(body).map_err(io::Error::other)
}

/// The next message; none at the end of the input.
pub fn read<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<T>> {
    let mut prefix = [0; 4];
    match input.read_exact(&mut prefix) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut body = vec![0; length(prefix)];
    input.read_exact(&mut body)?;
    message(&body).map(Some)
}

pub fn write(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    output.write_all(&frame(message))?;
    output.flush()
}
