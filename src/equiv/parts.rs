//! Refutes a difference part by part: many small questions where one large one has no answer.

use std::collections::HashMap;
use std::time::Duration;

use crate::deadline::Deadline;
use crate::solver::{Answer, BitsOp, Node, Solver, Term, Terms};

/// A part that is not shown to be equal by then hardly ever is.
const QUERY: Duration = Duration::from_millis(300);

/// Sums of more are not taken apart.
const SUMMANDS: usize = 100;

/// Whether no part of a difference can be, given the facts.
///
/// What is equal on both sides because its parts are is not asked for as a whole: the sum of many
/// results is equal if each of them is. Errs towards no.
pub fn refutes(
    terms: &mut Terms,
    facts: &[Term],
    difference: Term,
    solver: &Solver,
    deadline: Deadline,
) -> bool {
    let mut refuting = Refuting { terms, facts, solver, deadline, known: HashMap::new() };
    let ways = match refuting.terms.node(difference) {
        Node::Or(ways) => ways.to_vec(),
        _ => vec![difference],
    };
    ways.into_iter().all(|way| refuting.refutes(way))
}

struct Refuting<'r> {
    terms: &'r mut Terms,
    facts: &'r [Term],
    solver: &'r Solver,
    deadline: Deadline,
    /// Of pairs, whether they are equal in the way under refutation.
    known: HashMap<(Term, Term), bool>,
}

impl Refuting<'_> {
    /// Whether the two sides cannot differ in the given way: its conditions cannot all hold.
    fn refutes(&mut self, way: Term) -> bool {
        let conditions = self.all_of(way);
        self.known.clear();
        for (index, condition) in conditions.iter().enumerate() {
            let claims = self.denied(*condition);
            if !claims.iter().any(|it| matches!(self.terms.node(*it), Node::Eq(..))) {
                continue;
            }
            let mut others = conditions.clone();
            others.remove(index);
            if claims.into_iter().all(|claim| self.holds(claim, &others)) {
                return true;
            }
        }
        // One case after the other, of what has the most.
        let cases = |refuting: &Refuting, condition: Term| match refuting.terms.node(condition) {
            Node::Or(parts) => parts.to_vec(),
            _ => Vec::new(),
        };
        let most = (0..conditions.len()).max_by_key(|it| cases(self, conditions[*it]).len());
        let Some(most) = most else { return false };
        match cases(self, conditions[most]) {
            none if none.is_empty() => self.is_excluded(&conditions, &conditions),
            cases => cases.into_iter().all(|case| {
                let mut conditions = conditions.clone();
                conditions[most] = case;
                self.is_excluded(&conditions, &[case])
            }),
        }
    }

    /// What a condition says does not all hold, if that is all it says.
    fn denied(&self, condition: Term) -> Vec<Term> {
        let inner = |term: Term| match self.terms.node(term) {
            Node::Not(inner) => Some(*inner),
            _ => None,
        };
        match self.terms.node(condition) {
            Node::Not(inner) => self.all_of(*inner),
            Node::Or(parts) => {
                parts.iter().map(|part| inner(*part)).collect::<Option<_>>().unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn all_of(&self, term: Term) -> Vec<Term> {
        match self.terms.node(term) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![term],
        }
    }

    fn holds(&mut self, claim: Term, conditions: &[Term]) -> bool {
        match *self.terms.node(claim) {
            Node::Eq(one, two) => self.are_equal(one, two, conditions),
            _ => {
                let denied = self.terms.not(claim);
                self.is_excluded(&[conditions, &[denied]].concat(), &[claim])
            }
        }
    }

    fn are_equal(&mut self, one: Term, two: Term, conditions: &[Term]) -> bool {
        if one == two {
            return true;
        }
        if let Some(known) = self.known.get(&(one, two)) {
            return *known;
        }
        let equal = self.have_equal_parts(one, two, conditions) || {
            let equal = self.terms.eq(one, two);
            let denied = self.terms.not(equal);
            self.is_excluded(&[conditions, &[denied]].concat(), &[one, two])
        };
        self.known.insert((one, two), equal);
        equal
    }

    fn have_equal_parts(&mut self, one: Term, two: Term, conditions: &[Term]) -> bool {
        if let (Node::Binary(op, ..), Node::Binary(same, ..)) =
            (self.terms.node(one), self.terms.node(two))
            && op == same
            && op.is_commutative()
        {
            let op = *op;
            let (ones, twos) = (self.summands(op, one), self.summands(op, two));
            return self.are_equal_in_some_order(ones, twos, conditions);
        }
        let (one, ones) = self.operator(one);
        let (two, twos) = self.operator(two);
        let mut pairs = ones.into_iter().zip(twos);
        one == two && pairs.len() > 0 && pairs.all(|(one, two)| self.agree(one, two, conditions))
    }

    fn agree(&mut self, one: Term, two: Term, conditions: &[Term]) -> bool {
        self.terms.sort(one) == self.terms.sort(two) && self.are_equal(one, two, conditions)
    }

    /// Whether each of some terms is equal to one of the others: looked for among those about the
    /// same variables, and where there is none, by their places.
    fn are_equal_in_some_order(
        &mut self,
        mut ones: Vec<Term>,
        mut twos: Vec<Term>,
        conditions: &[Term],
    ) -> bool {
        if ones.len() != twos.len() {
            return false;
        }
        ones.retain(|one| {
            let about = self.terms.variables(&[*one]);
            let found = (0..twos.len()).find(|&it| {
                self.terms.variables(&[twos[it]]) == about
                    && self.are_equal(*one, twos[it], conditions)
            });
            found.map(|it| twos.remove(it)).is_none()
        });
        ones.into_iter().zip(twos).all(|(one, two)| self.are_equal(one, two, conditions))
    }

    /// What is added up, where sums are operands of a sum; and so for other operators.
    fn summands(&self, op: BitsOp, term: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            match *self.terms.node(term) {
                Node::Binary(same, left, right) if same == op && found.len() < SUMMANDS => {
                    pending.extend([right, left])
                }
                _ => found.push(term),
            }
        }
        found
    }

    /// A term's operator alone, and its operands.
    fn operator(&self, term: Term) -> (Node, Vec<Term>) {
        let mut operands = Vec::new();
        let operator = self.terms.node(term).with_operands(|operand| {
            operands.push(operand);
            Term::numbered(0)
        });
        (operator, operands)
    }

    /// Whether some conditions cannot all be. Only what has to do with `of` is looked at, and what is
    /// near to it first.
    fn is_excluded(&mut self, conditions: &[Term], of: &[Term]) -> bool {
        let among = [self.facts, conditions].concat();
        let mut asserted = Vec::new();
        self.terms.related(of, &among).into_iter().any(|ring| {
            asserted.extend(ring);
            let limit = self.deadline.left().min(QUERY);
            !limit.is_zero()
                && matches!(self.solver.check(self.terms, &asserted, limit), Answer::Unsat)
        })
    }
}
