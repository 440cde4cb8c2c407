//! Systems of constrained Horn clauses: what loops do, without saying how often.

use std::collections::HashMap;

use super::{Sort, Term};
use crate::reason::NoAnswer;

/// An unknown relation of a [`HornSystem`], which the solver is to find.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predicate(pub u32);

/// Clauses over unknown relations: are there relations that make all of them true?
#[derive(Clone, Default)]
pub struct HornSystem {
    /// The sorts of each predicate's arguments.
    pub predicates: Vec<Vec<Sort>>,
    pub clauses: Vec<Clause>,
    /// Sums, differences and products that do not wrap: as signed numbers if the flag is set, as
    /// unsigned ones otherwise. They must not for any values with which a clause's body and
    /// constraint hold, unless the result then does not matter, as in the branch of an `ite` that is
    /// not taken. A wrong claim makes a wrong [`HornAnswer::Safe`].
    ///
    /// The claim is about the node as it stands in the arena, as
    /// [`Terms::arithmetic`](super::Terms::arithmetic) finds it, and not about what the builder was
    /// asked for: of `(x + 1) + 1` it makes `x + 2`, and of `x + 255` in eight bits `x - 1`.
    pub exact: HashMap<Term, bool>,
}

/// For all values of its variables: if the body's predicates and the constraint hold, so does the
/// head.
#[derive(Clone)]
pub struct Clause {
    pub body: Vec<(Predicate, Vec<Term>)>,
    pub constraint: Term,
    /// None is false: the body must never hold.
    pub head: Option<(Predicate, Vec<Term>)>,
}

/// Whether such relations exist.
///
/// The clauses are solved over integers, and what linear arithmetic over integers cannot say becomes
/// any value that is the same where the operands are: more is possible in them than in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// They do: what is false in no clause is false in no run.
    Safe,
    /// Not among the clauses as they were solved, which is a hint and not a counterexample.
    Unsafe,
    Unknown(NoAnswer),
}
